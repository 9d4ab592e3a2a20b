/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Figures in the text are those of the last benchmark reports. After a report has changed, {@code
 * -Dsparknd.docs.write=true} rewrites them.
 */
class FiguresTest {
  private static final String HELP =
      "run FiguresTest with -Dsparknd.docs.write=true, and look at what it changes";

  private static BenchmarkFigures figures;

  @BeforeAll
  static void write() throws IOException {
    figures = BenchmarkFigures.read();
    if (Boolean.getBoolean("sparknd.docs.write")) {
      MarkdownFiles.rewrite(page -> FigureMarks.rewritten(page, figures::value));
    }
  }

  static List<Path> pages() {
    return MarkdownFiles.all().stream()
        .filter(page -> MarkdownFiles.text(page).contains("figure"))
        .toList();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void figuresAreThoseOfTheReports(Path page) {
    String text = MarkdownFiles.text(page);
    assertThat(text).as(HELP).isEqualTo(FigureMarks.rewritten(text, figures::value));
    assertThat(FigureMarks.count(text))
        .as("complete marks in %s", page)
        .isEqualTo(text.split("<!--\\s*/?figure", -1).length / 2);
  }

  @Test
  void pagesHaveFigures() {
    assertThat(figures.size()).isGreaterThan(100);
    long marks =
        pages().stream().mapToLong(page -> FigureMarks.count(MarkdownFiles.text(page))).sum();
    assertThat(marks).isGreaterThan(100);
  }

  @Test
  void staleFiguresAreReplaced() {
    assertThat(marked("spark B ratio", "0.99")).isNotEqualTo("0.99").matches("0\\.\\d\\d");
    assertThat(marked("spark D peer", "1,000")).matches("\\d,\\d{3}");
    assertThat(marked("spark D peer s", "1.0")).matches("\\d\\.\\d");
    assertThat(marked("kernels a@1 ours", "1")).matches("\\d+");
    assertThat(marked("kernels a scaling", "1.00")).matches("0\\.\\d\\d");
    assertThat(marked("embedding overhead ours /50", "1.0")).matches("\\d+\\.\\d");
  }

  private static String marked(String key, String text) {
    String page = "takes <!-- figure: " + key + " -->" + text + "<!-- /figure --> ms";
    return FigureMarks.rewritten(page, figures::value).replaceAll(".*-->(.*)<!--.*", "$1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"spark B", "spark B median", "spark Z ratio", "tables A ratio"})
  void unknownFiguresAreErrors(String key) {
    assertThatThrownBy(() -> marked(key, "1")).isInstanceOf(IllegalArgumentException.class);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class RatioChartTest {
  @Test
  void aRowHasTheNameOfItsWorkAndABarForEachProcessor() {
    RatioChart chart =
        only(line("A: update", "ms", "AMD EPYC"), line("A: update", "ms", "Intel Xeon"));
    assertThat(chart.rows())
        .singleElement()
        .extracting(RatioChart.Row::name)
        .isEqualTo("A: update");
    assertThat(chart.rows().get(0).bars())
        .extracting(RatioChart.Bar::note)
        .containsExactly(
            "AMD EPYC, 0.50 (goal 0.40), peer: join", "Intel Xeon, 0.50 (goal 0.40), peer: join");
  }

  @Test
  void processorsThatAreTheSameAreNotNamed() {
    assertThat(only(line("A: update", "ms", "AMD EPYC")).rows().get(0).bars())
        .extracting(RatioChart.Bar::note)
        .containsExactly("0.50 (goal 0.40), peer: join");
  }

  @Test
  void whatManyWorksMeasureHasAChartOfItsOwn() {
    List<Line> lines =
        Stream.concat(
                IntStream.range(0, 4)
                    .mapToObj(i -> line("t" + i + "/time10: ten commits", "ms", "AMD EPYC")),
                Stream.of(line("load: loading", "ms", "AMD EPYC")))
            .toList();
    List<RatioChart> charts = RatioChart.of("table", lines);
    assertThat(charts)
        .extracting(RatioChart::file)
        .containsExactly("table.svg", "table-ten-commits.svg");
    assertThat(charts.get(1).rows()).extracting(RatioChart.Row::name).contains("t0", "t3");
  }

  @Test
  void sizesAreNotDrawn() {
    assertThat(RatioChart.of("table", List.of(line("A/read: bytes read", "MB", "AMD EPYC"))))
        .isEmpty();
  }

  @Test
  void textIsText() {
    assertThat(only(line("A: rows < 5 & \"more\"", "ms", "AMD EPYC")).svg())
        .contains(">A: rows &lt; 5 &amp; \"more\"</text>")
        .contains("prefers-color-scheme: dark")
        .doesNotContain("<path");
  }

  @Test
  void linesOfTextFitAndDoNotMeet() {
    String name = "a: gather into a given result, 1,000,000 uniform tuples, tensor [1000000, 64]";
    String svg = only(line(name, "ms", "AMD EPYC"), line("b: x", "ms", "AMD EPYC")).svg();
    List<MatchResult> texts =
        Pattern.compile("<text [^>]*y=\"(\\d+)\">([^<]*)</text>").matcher(svg).results().toList();
    assertThat(texts).hasSizeGreaterThan(6);
    for (int i = 1; i < texts.size(); i++) {
      assertThat(y(texts.get(i)) - y(texts.get(i - 1))).isGreaterThanOrEqualTo(15);
    }
    assertThat(texts).allSatisfy(text -> assertThat(text.group(2)).hasSizeLessThanOrEqualTo(60));
  }

  private static int y(MatchResult text) {
    return Integer.parseInt(text.group(1));
  }

  private static RatioChart only(Line... lines) {
    List<RatioChart> charts = RatioChart.of("spark", List.of(lines));
    assertThat(charts).hasSize(1);
    return charts.get(0);
  }

  private static Line line(String name, String unit, String processor) {
    return new Line(name, 2, 1, 2, "join", 0.5, 0.4, unit, 0.1, processor, 0);
  }
}

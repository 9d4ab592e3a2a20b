/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The Java blocks of the pages run and print what the pages show. */
@Tag("slow")
class JavaPagesTest {
  /** Pages whose blocks are excerpts of the examples; tested by {@code DocumentTest}. */
  private static final List<String> STORIES =
      List.of("docs/how-to/feature-store.md", "docs/how-to/embeddings.md");

  /** Pages with complete programs; tested by the modules deploy and core. */
  private static final List<String> PROGRAMS =
      List.of("docs/get-started/quickstart.md", "docs/get-started/local.md");

  /** Definitions that pages use but do not show, by the path of the page. */
  private static final Path BEFORE = Path.of("src", "test", "resources", "pages");

  private static SparkSession spark;

  static Stream<Page> pages() {
    return Page.all().stream()
        .filter(page -> !page.blocks("java").isEmpty())
        .filter(page -> !STORIES.contains(page.toString()) && !PROGRAMS.contains(page.toString()));
  }

  @BeforeAll
  static void start() {
    spark =
        SparkSession.builder()
            .master("local[2]")
            .config("spark.driver.host", "127.0.0.1")
            .config("spark.driver.bindAddress", "127.0.0.1")
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .getOrCreate();
    spark.sparkContext().setLogLevel("ERROR");
  }

  @AfterAll
  static void stop() throws Exception {
    SparkSession.clearActiveSession();
    spark.close();
  }

  @ParameterizedTest
  @MethodSource("pages")
  void printsWhatItShows(Page page, @TempDir Path folder) throws Exception {
    SparkSession.setActiveSession(spark.newSession());
    Map<Integer, String> printed = PageRun.of(page, before(page), folder).printed();
    SoftAssertions all = new SoftAssertions();
    for (Block block : page.blocks("java")) {
      String output = printed.get(block.line());
      all.assertThat(block.shows(output))
          .as("%s:%d printed\n%s", page, block.line(), output)
          .isTrue();
    }
    all.assertAll();
  }

  private static String before(Page page) throws IOException {
    Path file = BEFORE.resolve(page.file().toString().replace(".md", ".java"));
    return Files.exists(file) ? Files.readString(file) : "";
  }

  @Test
  void manyShowWhatTheyPrint() {
    assertThat(pages().flatMap(page -> page.blocks("java").stream()))
        .filteredOn(block -> block.printed().isPresent())
        .hasSizeGreaterThan(12);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.sparknd.docs.Block;
import io.sparknd.docs.HowToPages;
import io.sparknd.docs.Page;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.LocalCatalog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
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

/**
 * The Java blocks of the pages run and print what the pages show. On pages of how to do something,
 * the SQL and Python blocks do, too, in the order of the page.
 */
@Tag("slow")
class JavaPagesTest {
  /** Pages whose blocks are excerpts of the examples; tested by {@code DocumentTest}. */
  private static final List<String> STORIES =
      List.of("docs/how-to/feature-store.md", "docs/how-to/embeddings.md");

  /** Pages with complete programs; tested by the modules deploy and core. */
  private static final List<String> PROGRAMS =
      List.of(
          "docs/get-started/quickstart.md",
          "docs/get-started/local.md",
          "docs/reference/kernels.md",
          "docs/how-to/nightly-job.md");

  /** Modules of Python that are too large for each machine that tests, by the path of the page. */
  private static final Map<String, Set<String>> LARGE_MODULES =
      Map.of("docs/how-to/export.md", Set.of("torch", "onnx"));

  /** Definitions that pages use but do not show, by the path of the page. */
  private static final Path BEFORE = Path.of("src", "test", "resources", "pages");

  private static SparkSession spark;

  static Stream<Page> pages() {
    return Page.all().stream()
        .filter(page -> !page.blocks("java").isEmpty() || HowToPages.isStory(page))
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
    BlockRunner others = HowToPages.isStory(page) ? others(folder) : BlockRunner.NONE;
    Map<Integer, String> printed = PageRun.of(page, before(page), folder, others).printed();
    SoftAssertions all = new SoftAssertions();
    List<String> notRun = new ArrayList<>();
    for (Block block : page.blocks()) {
      String output = printed.get(block.line());
      boolean isRight = output == null ? !isAlwaysRun(page, block) : isRight(block, output);
      all.assertThat(isRight).as("%s:%d printed\n%s", page, block.line(), output).isTrue();
      if (output == null && isOfPython(page, block) && !needsLargeModule(page, block)) {
        notRun.add(page + ":" + block.line());
      }
    }
    all.assertAll();
    // all other blocks of the page are right, which is no proof of these
    assumeThat(notRun).as("blocks whose modules Python does not have").isEmpty();
  }

  private static boolean isOfPython(Page page, Block block) {
    return HowToPages.isStory(page) && block.language().equals("python");
  }

  private static boolean needsLargeModule(Page page, Block block) {
    return LARGE_MODULES.getOrDefault(page.toString(), Set.of()).stream()
        .anyMatch(module -> block.lines().contains("import " + module));
  }

  /** Returns runners of the blocks beside Java, for a session with the catalogs that users have. */
  private static BlockRunner others(Path folder) {
    SparkSession session = SparkSession.active();
    LocalCatalog.addTo(session, "lake", folder.resolve("lake"));
    session.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    return new SqlBlocks(session, folder).or(new PythonBlocks(folder));
  }

  /** Of statements, a page may leave out what they return. */
  private static boolean isRight(Block block, String output) {
    boolean isLeftOut = block.language().equals("sql") && block.printed().isEmpty();
    return isLeftOut || block.shows(output);
  }

  private static boolean isAlwaysRun(Page page, Block block) {
    return block.language().equals("java")
        || HowToPages.isStory(page) && block.language().equals("sql");
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

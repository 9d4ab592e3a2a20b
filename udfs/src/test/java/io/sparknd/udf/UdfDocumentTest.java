/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.docs.Block;
import io.sparknd.docs.HowToPages;
import io.sparknd.docs.Page;
import io.sparknd.docs.SqlExample;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorCatalog;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests the SQL in the documentation, as {@code bin/sparknd sql} runs it. */
class UdfDocumentTest {
  /** A page whose statements need the tables of a story; module examples tests it. */
  private static final String STORY = "docs/how-to/feature-store.md";

  private static final SparkSession SPARK = LocalSpark.session().newSession();

  /** Returns the examples. Those that are files of a program are tested with the program. */
  static List<Arguments> examples() {
    return Page.all().stream()
        .filter(page -> !page.toString().equals(STORY) && !HowToPages.hasOwnTest(page))
        .flatMap(
            page ->
                page.blocks("sql").stream()
                    .filter(block -> block.fileName().isEmpty())
                    .map(block -> Arguments.of(page + ":" + block.line(), block)))
        .toList();
  }

  @BeforeAll
  static void makeCatalogs(@TempDir Path folder) {
    LocalCatalog.addTo(SPARK, "lake", folder);
    SPARK.conf().set("spark.sql.catalog.lake", TensorCatalog.class.getName());
    SPARK.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    SparkSession.setActiveSession(SPARK);
  }

  /** Clears the session of the thread, which other tests of this JVM share. */
  @AfterAll
  static void leaveSession() {
    SparkSession.clearActiveSession();
  }

  @Test
  void everyFunctionHasAnExample() {
    String all =
        Page.all().stream()
            .filter(page -> page.file().startsWith("docs/reference"))
            .flatMap(page -> page.blocks("sql").stream())
            .map(Block::text)
            .collect(joining("\n"));
    assertThat(all)
        .contains(
            "FROM gather_nd(",
            "FROM scatter_nd(",
            "FROM tensor_scatter_nd_add(",
            "FROM tensor_scatter_nd_update(",
            "CALL nd.system.info(",
            "CALL nd.system.check(",
            "SELECT tensor_scatter_nd_update(",
            "SELECT tensor_scatter_nd_add(",
            "SELECT scatter_nd(",
            "SELECT gather_nd(",
            "scatter_elements(",
            "gather_elements(",
            "nd_shape(",
            "nd_zeros(",
            "nd_reshape(",
            "nd_decode(",
            "nd_encode(",
            "CALL nd.system.create_tensor(",
            "CALL nd.system.scatter_nd(",
            "CALL nd.system.compact(",
            "CALL nd.system.expire(",
            "CALL nd.system.remove_orphans(",
            "scatter_nd_agg(");
  }

  /** Compares the documented result with that of the last statement that returns rows. */
  @Tag("slow")
  @ParameterizedTest
  @MethodSource("examples")
  void exampleGivesTheDocumentedResult(String place, Block example) {
    assertThat(example.printed()).as("what %s gives", place).isPresent();
    String shown = SqlExample.shown(SPARK, example.text());
    assertThat(example.shows(shown)).as("%s gave\n%s", place, shown).isTrue();
  }
}

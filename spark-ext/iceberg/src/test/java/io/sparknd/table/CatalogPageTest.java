/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.docs.Block;
import io.sparknd.docs.Page;
import io.sparknd.docs.SqlExample;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The settings of {@code docs/how-to/catalogs.md}, each with the statements of the page. Only
 * addresses and folders are the test's own.
 */
@Tag("slow")
class CatalogPageTest {
  private static final Page PAGE = Page.of("docs/how-to/catalogs.md");

  @AfterEach
  void leaveSession() {
    SparkSession.clearActiveSession();
  }

  @Test
  void sqlite(@TempDir Path folder) {
    check("SQLite", Map.of("/srv/lake", folder.toString()));
  }

  @Test
  void postgresql(@TempDir Path folder) throws Exception {
    try (PostgresServer server = PostgresServer.start()) {
      check(
          "PostgreSQL",
          Map.of(
              "jdbc:postgresql://db.example.com:5432/iceberg",
              server.address(),
              "s3a://bucket/lake",
              folder.toUri().toString(),
              " iceberg\n",
              " " + PostgresServer.USER + "\n"));
    }
  }

  @Test
  void rest(@TempDir Path folder) throws Exception {
    try (RestServer server = RestServer.start(folder)) {
      check("REST", Map.of("https://catalog.example.com", server.address()));
    }
  }

  /** Runs the statements with the settings below a heading. */
  private static void check(String heading, Map<String, String> own) {
    SparkSession spark = LocalSpark.session().newSession();
    SparkSession.setActiveSession(spark);
    String settings = below(heading).text() + "\n";
    for (Map.Entry<String, String> each : own.entrySet()) {
      assertThat(settings).contains(each.getKey());
      settings = settings.replace(each.getKey(), each.getValue());
    }
    settings
        .lines()
        .map(line -> line.split("\\s+", 2))
        .forEach(setting -> spark.conf().set(setting[0], setting[1]));
    List<Block> statements = PAGE.blocks("sql");
    assertThat(statements).hasSize(2);
    for (Block block : statements) {
      String shown = SqlExample.shown(spark, block.text());
      assertThat(block.shows(shown)).as("with %s\n%s", settings, shown).isTrue();
    }
  }

  private static Block below(String heading) {
    int line = PAGE.lines().indexOf("## " + heading);
    return PAGE.blocks("properties").stream()
        .filter(block -> block.line() > line)
        .findFirst()
        .orElseThrow();
  }
}

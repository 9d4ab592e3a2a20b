/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Block;
import io.sparknd.sql.NdCatalog;
import io.sparknd.table.LocalCatalog;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.assertj.core.api.SoftAssertions;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Runs the SQL of the reference pages in a session of Spark Connect. */
@Tag("slow")
class ConnectPagesTest {
  private static ConnectServer server;

  @BeforeAll
  static void startServer() {
    server = ConnectServer.start();
  }

  @AfterAll
  static void stopServer() {
    server.close();
  }

  @Test
  void everyBlockShowsWhatThePageShows(@TempDir Path folder) throws Exception {
    List<Block> blocks = SqlPages.blocks();
    assertThat(blocks).hasSizeGreaterThan(20);
    Path statements = folder.resolve("statements");
    Path shown = folder.resolve("shown");
    Files.writeString(statements, settings(folder) + text(blocks));
    ConnectServer.runClient(
        RemotePages.class,
        ConnectServer.sparkClassPath(),
        server.address(),
        statements.toString(),
        shown.toString());
    List<String> results = List.of(Files.readString(shown).split(RemotePages.BLOCK, -1));
    assertThat(results.get(0)).as("settings").doesNotContain("Exception");
    SoftAssertions all = new SoftAssertions();
    for (int i = 0; i < blocks.size(); i++) {
      String result = results.get(i + 1);
      all.assertThat(blocks.get(i).shows(result))
          .as("%s\ngave\n%s", blocks.get(i).text(), result)
          .isTrue();
    }
    all.assertAll();
  }

  /** Returns a first block that sets what a client may set. */
  private static String settings(Path folder) {
    Map<String, String> settings = LocalCatalog.settings("lake", folder.resolve("lake"));
    settings.put("spark.sql.catalog.nd", NdCatalog.class.getName());
    List<String> lines = new ArrayList<>();
    settings.forEach((key, value) -> lines.add("SET `" + key + "`=`" + value + "`"));
    return String.join(RemotePages.STATEMENT, lines) + RemotePages.BLOCK;
  }

  private static String text(List<Block> blocks) {
    return blocks.stream()
        .map(block -> String.join(RemotePages.STATEMENT, SqlPages.statements(block)))
        .collect(Collectors.joining(RemotePages.BLOCK));
  }
}

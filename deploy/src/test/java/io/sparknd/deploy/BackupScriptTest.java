/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The script of the page on back-ups, with a stand-in for the client of the storage. */
class BackupScriptTest {
  private static final String CLIENT =
      """
      #!/usr/bin/env bash
      case $3 in
        FILE_LIST_LOCATION) printf 'a,b\\n%s,d\\ne,f\\n' "$SECOND" >"$4" ;;
        missing) exit 1 ;;
        *) echo "$3 to $4" ;;
      esac
      """;

  @TempDir private Path folder;

  @Test
  void copiesAllFilesOfTheList() throws Exception {
    assertThat(run("c", 0).lines()).containsExactly("a to b", "c to d", "e to f");
  }

  @Test
  void aCopyThatFailsIsNeverPassedOver() throws Exception {
    assertThat(run("missing", 1).lines()).containsExactly("a to b");
  }

  /** Runs the script with the second file of the list, and returns what it prints. */
  private String run(String second, int exit) throws IOException, InterruptedException {
    Path client = folder.resolve("aws");
    Files.writeString(client, CLIENT);
    assertThat(client.toFile().setExecutable(true)).isTrue();
    String script = Page.of("docs/operate/backup.md").blocks("bash").get(0).text();
    ProcessBuilder shell = new ProcessBuilder("bash", "-c", script).directory(folder.toFile());
    shell.environment().put("PATH", folder + ":" + System.getenv("PATH"));
    shell.environment().put("SECOND", second);
    Process process = shell.start();
    process.getOutputStream().close();
    String printed = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).isEqualTo(exit);
    return printed;
  }
}

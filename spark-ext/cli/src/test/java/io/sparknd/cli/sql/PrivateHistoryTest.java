/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.jline.reader.History;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that the history of the shell has no passwords, and is its owner's. */
class PrivateHistoryTest {
  @TempDir private Path home;

  @Test
  void statementsThatPublishAreNotKept() {
    PrivateHistory history = new PrivateHistory();
    history.add("SELECT 1;");
    history.add("CALL nd.system.publish('lake.shop.users', 'redis://feeder:hunter2@h:6379');");
    history.add("CALL nd.system.`PUBLISH`('lake.shop.users', 'redis://feeder:hunter2@h:6379');");
    history.add("SELECT published FROM t;");
    assertThat(history)
        .extracting(History.Entry::line)
        .containsExactly("SELECT 1;", "SELECT published FROM t;");
  }

  /** The shell works without a history where a home cannot be written. */
  @Test
  void aHomeThatIsNoFolderHasNone() throws IOException {
    assertThat(PrivateHistory.file(Files.createFile(home.resolve("home")))).isEmpty();
  }

  @Test
  void onlyTheOwnerReadsTheFile() throws IOException {
    Path folder = Files.createDirectories(home.resolve(".sparknd"));
    Path old = Files.writeString(folder.resolve("history"), "SELECT 1;\n");
    Files.setPosixFilePermissions(old, PosixFilePermissions.fromString("rw-r--r--"));
    assertThat(PrivateHistory.file(home)).contains(old);
    assertThat(old).hasContent("SELECT 1;");
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(old)))
        .isEqualTo("rw-------");
  }
}

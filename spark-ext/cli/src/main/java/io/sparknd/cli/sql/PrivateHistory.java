/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Pattern;
import org.jline.reader.impl.history.DefaultHistory;

/**
 * Keeps statements in a file that only its owner can read, but those that publish, which have the
 * password of a store.
 */
final class PrivateHistory extends DefaultHistory {
  private static final Pattern PUBLISH = Pattern.compile("(?i)\\bpublish\\b");

  /** Returns the file, which is made if there is none; empty if it cannot be made. */
  static Optional<Path> file(Path home) {
    try {
      return Optional.of(ownFile(home));
    } catch (IOException e) { // of a container, for example, whose home cannot be written
      return Optional.empty();
    }
  }

  private static Path ownFile(Path home) throws IOException {
    Path folder = Files.createDirectories(home.resolve(".sparknd"));
    Path file = folder.resolve("history");
    if (!Files.exists(file)) {
      Files.createFile(file);
    }
    PosixFileAttributeView modes = Files.getFileAttributeView(file, PosixFileAttributeView.class);
    if (modes != null) { // Windows has none
      modes.setPermissions(PosixFilePermissions.fromString("rw-------"));
    }
    return file;
  }

  @Override
  public void add(Instant time, String line) {
    if (!PUBLISH.matcher(line).find()) {
      super.add(time, line);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor.internal;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Temporary files that are being written. They are deleted if the JVM ends meanwhile, as by Ctrl-C,
 * but not those that other hooks of its end begin. {@link java.io.File#deleteOnExit} would keep the
 * names of finished files, too.
 */
final class UnfinishedFiles {
  private static final Set<Path> FILES = ConcurrentHashMap.newKeySet();
  private static volatile boolean ending;

  static {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(UnfinishedFiles::delete));
    } catch (IllegalStateException e) {
      ending = true;
    }
  }

  private UnfinishedFiles() {}

  /** Creates a file that is deleted if the JVM begins to end before {@link #remove}. */
  static OutputStream create(Path file) throws IOException {
    FILES.add(file);
    try {
      return Files.newOutputStream(file, StandardOpenOption.CREATE_NEW);
    } catch (IOException e) {
      FILES.remove(file);
      throw e;
    }
  }

  /** Checks that the JVM is not shutting down, which deletes files that were begun before. */
  static void requireRunning() throws IOException {
    if (ending) {
      throw new IOException("the JVM is shutting down");
    }
  }

  static void remove(Path file) {
    FILES.remove(file);
  }

  private static void delete() {
    ending = true;
    for (Path file : FILES) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // the others are deleted
      }
    }
  }
}

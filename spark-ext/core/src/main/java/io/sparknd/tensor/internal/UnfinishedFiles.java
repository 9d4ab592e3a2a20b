/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor.internal;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Temporary files that are being written. They are deleted if the JVM ends meanwhile, as by Ctrl-C.
 * {@link java.io.File#deleteOnExit} would keep the names of finished files, too.
 */
final class UnfinishedFiles {
  private static final Set<Path> FILES = ConcurrentHashMap.newKeySet();

  static {
    try {
      Runtime.getRuntime().addShutdownHook(new Thread(UnfinishedFiles::delete));
    } catch (IllegalStateException e) {
      // the JVM already ends: its files stay
    }
  }

  private UnfinishedFiles() {}

  static void add(Path file) {
    FILES.add(file);
  }

  static void remove(Path file) {
    FILES.remove(file);
  }

  private static void delete() {
    for (Path file : FILES) {
      try {
        Files.deleteIfExists(file);
      } catch (IOException e) {
        // the others are deleted
      }
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The files of a table, compared with their initial state. */
final class Directory {
  private final Path path;
  private final Set<Path> first;

  Directory(Path path) {
    this.path = path;
    this.first = files(path);
  }

  /** The bytes of all new files, except Hadoop's checksum files. */
  long bytesAdded() {
    return files(path).stream()
        .filter(file -> !first.contains(file) && !isChecksum(file))
        .mapToLong(Directory::size)
        .sum();
  }

  private static boolean isChecksum(Path file) {
    return file.getFileName().toString().endsWith(".crc");
  }

  /** Deletes all new files. */
  void restore() {
    files(path).stream().filter(file -> !first.contains(file)).forEach(Directory::delete);
  }

  /** Deletes a directory recursively. */
  static void deleteAll(Path path) {
    if (Files.exists(path)) {
      try (Stream<Path> all = Files.walk(path)) {
        all.sorted(Comparator.reverseOrder()).forEach(Directory::delete);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static Set<Path> files(Path path) {
    try (Stream<Path> all = Files.walk(path)) {
      return all.filter(Files::isRegularFile).collect(Collectors.toSet());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static long size(Path file) {
    try {
      return Files.size(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void delete(Path file) {
    try {
      Files.delete(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/** Lists the Java sources of this repository, without generated ones. */
public final class JavaSources {
  private JavaSources() {}

  /**
   * Returns the sources of all modules below {@code folder}, tests included, as paths from the root
   * of the repository.
   *
   * @param folder from the root of the repository; empty for all modules
   */
  public static List<Path> below(String folder) {
    List<Path> sources = new ArrayList<>();
    try {
      Files.walkFileTree(Page.ROOT.resolve(folder), new Collector(sources));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return sources.stream().sorted().toList();
  }

  /** Leaves out what builds write, where other tests make and delete files meanwhile. */
  private static final class Collector extends SimpleFileVisitor<Path> {
    private final List<Path> sources;

    Collector(List<Path> sources) {
      this.sources = sources;
    }

    @Override
    public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes attributes) {
      return directory.endsWith("target") ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
    }

    @Override
    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
      Path source = Page.ROOT.relativize(file);
      if (source.toString().matches("[\\w/-]+/src/\\w+/java/.*\\.java")) {
        sources.add(source);
      }
      return FileVisitResult.CONTINUE;
    }
  }

  /** Returns the sources below {@code folder} that are not tests, as {@link #below} does. */
  public static List<Path> mainBelow(String folder) {
    return below(folder).stream()
        .filter(file -> file.toString().contains("/src/main/java/"))
        .toList();
  }
}

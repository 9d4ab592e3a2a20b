/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import io.sparknd.docs.Page;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The Markdown files of the repository, wherever they are. */
final class MarkdownFiles {
  private static final Set<String> NOT_OURS = Set.of("target", "node_modules");

  private static final Path CHANGES = Path.of("CHANGELOG.md");

  private MarkdownFiles() {}

  /**
   * Returns the pages that describe the present state, as paths from the root of the repository,
   * ascending: all but the list of changes and the reports of benchmarks.
   */
  static List<Path> all() {
    return below(Page.ROOT, ".md").stream()
        .filter(file -> !file.equals(CHANGES))
        .filter(file -> !(file.startsWith("docs") && file.getParent().endsWith("benchmarks")))
        .toList();
  }

  /** Returns the files below {@code folder} whose names end with {@code ending}. */
  static List<Path> below(Path folder, String ending) {
    List<Path> found = new ArrayList<>();
    try {
      Files.walkFileTree(
          folder,
          new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path directory, BasicFileAttributes of) {
              String name = String.valueOf(directory.getFileName());
              boolean isOther = NOT_OURS.contains(name) || name.startsWith(".");
              return isOther && !directory.equals(folder)
                  ? FileVisitResult.SKIP_SUBTREE
                  : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes of) {
              if (file.toString().endsWith(ending)) {
                found.add(Page.ROOT.relativize(file));
              }
              return FileVisitResult.CONTINUE;
            }
          });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return found.stream().sorted().toList();
  }

  static String text(Path file) {
    try {
      return Files.readString(Page.ROOT.resolve(file));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Rewrites all files in place. */
  static void rewrite(UnaryOperator<String> rewriting) throws IOException {
    for (Path file : all()) {
      String before = text(file);
      String after = rewriting.apply(before);
      if (!after.equals(before)) {
        Files.writeString(Page.ROOT.resolve(file), after);
      }
    }
  }
}

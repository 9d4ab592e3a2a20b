/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import java.io.IOException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;

/** The files below a folder, also those behind symbolic links. */
public final class LinkedFiles extends SimpleFileVisitor<Path> {
  private final List<Path> files = new ArrayList<>();

  private LinkedFiles() {}

  /** Returns every file at any depth below {@code folder}, in no order. */
  public static List<Path> below(Path folder) throws IOException {
    LinkedFiles visited = new LinkedFiles();
    Files.walkFileTree(
        folder, EnumSet.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, visited);
    return visited.files;
  }

  @Override
  public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
    files.add(file);
    return FileVisitResult.CONTINUE;
  }

  @Override
  public FileVisitResult visitFileFailed(Path file, IOException cause) throws IOException {
    if (cause instanceof FileSystemLoopException) {
      // the target of the link contains it, so that its files are visited
      return FileVisitResult.CONTINUE;
    }
    throw cause;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.export;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.tensor.TensorErrors;
import io.sparknd.tensor.internal.LocalPaths;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import java.util.stream.Stream;

/** A directory that appears with all its files, or not at all. */
public final class NewDirectory {
  private NewDirectory() {}

  /** Writes files to a directory. */
  public interface Content {
    void writeTo(Path directory) throws IOException;
  }

  /**
   * Creates a directory. Files are written to a temporary sibling, which is renamed. After a
   * failure the sibling is deleted.
   *
   * @return the files, sorted by name
   * @throws io.sparknd.tensor.SparkNdException if the path exists, or cannot be written
   */
  public static List<Path> write(Path directory, Content content) {
    try {
      Path target = LocalPaths.absolute(directory);
      checkAbsent(target);
      Path parent = Objects.requireNonNull(target.getParent()); // the root exists
      createParent(parent);
      Path draft = parent.resolve("." + target.getFileName() + "." + UUID.randomUUID() + ".tmp");
      Files.createDirectory(draft);
      try {
        content.writeTo(draft);
        checkAbsent(target); // a rename would replace an empty directory
        Files.move(draft, target);
      } catch (Throwable e) { // Spark throws checked exceptions undeclared
        delete(draft, e);
        throw e;
      }
      return files(target);
    } catch (FileAlreadyExistsException e) {
      throw EmbeddingErrors.exportTargetExists(directory.toString());
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(directory.toString(), e);
    }
  }

  /** Throws another exception than for a target that exists. */
  private static void createParent(Path parent) throws IOException {
    try {
      Files.createDirectories(parent);
    } catch (FileAlreadyExistsException e) {
      throw new NotDirectoryException(parent.toString());
    }
  }

  private static void checkAbsent(Path target) {
    if (Files.exists(target, LinkOption.NOFOLLOW_LINKS)) {
      throw EmbeddingErrors.exportTargetExists(target.toString());
    }
  }

  private static List<Path> files(Path directory) throws IOException {
    try (Stream<Path> files = Files.list(directory)) {
      return files.sorted().toList();
    }
  }

  private static void delete(Path draft, Throwable failure) {
    try {
      for (Path file : files(draft)) {
        Files.delete(file);
      }
      Files.delete(draft);
    } catch (IOException e) {
      failure.addSuppressed(e);
    }
  }
}

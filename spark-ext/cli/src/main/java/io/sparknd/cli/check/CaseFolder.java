/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.check;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.cli.support.LinkedFiles;
import io.sparknd.tensor.TensorErrors;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * A folder that contains a case.
 *
 * @param name path relative to the folder that was searched
 */
public record CaseFolder(String name, Path path) {
  static final String ATTRIBUTES = "attrs.json";

  /**
   * Returns every case folder at or below {@code directory}, sorted by path. Symbolic links are
   * followed, except to a folder that contains the link.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no such directory, or it cannot be read
   */
  public static List<CaseFolder> below(Path directory) {
    if (!Files.isDirectory(directory)) {
      throw CliErrors.notADirectory(directory);
    }
    try {
      return LinkedFiles.below(directory).stream()
          .filter(file -> file.endsWith(ATTRIBUTES))
          .map(Path::getParent)
          .sorted()
          .map(folder -> new CaseFolder(name(directory, folder), folder))
          .toList();
    } catch (IOException e) {
      throw TensorErrors.unreadableFile(directory.toString(), e);
    }
  }

  private static String name(Path directory, Path folder) {
    return folder.equals(directory)
        ? directory.toAbsolutePath().normalize().getFileName().toString()
        : directory.relativize(folder).toString();
  }

  Path file(String name) {
    return path.resolve(name);
  }
}

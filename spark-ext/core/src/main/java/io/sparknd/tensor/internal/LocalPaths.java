/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor.internal;

import java.nio.file.FileSystemException;
import java.nio.file.Path;

/** Paths of this machine's file system. */
public final class LocalPaths {
  private LocalPaths() {}

  /**
   * Returns the absolute path.
   *
   * @throws FileSystemException if it was made of a URI, as of {@code s3a://bucket/file}: its first
   *     name is a scheme, of which the file system would make a folder
   */
  public static Path absolute(Path path) throws FileSystemException {
    String first = path.getNameCount() > 1 ? path.getName(0).toString() : "";
    if (!path.isAbsolute() && first.matches("[A-Za-z][A-Za-z0-9+.-]+:")) {
      throw new FileSystemException(
          path.toString(),
          null,
          "a java.nio.file.Path is on this machine, where "
              + first
              + " would be a folder; name a local path, and copy the files afterwards, or use a"
              + " method that takes a text, such as save");
    }
    return path.toAbsolutePath();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import java.nio.file.Path;

/** Locations of local files for Spark, whose default file system may be another one. */
public final class LocalLocation {
  private LocalLocation() {}

  /** Returns the location of a local file or directory. */
  public static String of(Path path) {
    return "file:" + path.toAbsolutePath();
  }
}

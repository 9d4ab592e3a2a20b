/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** A Spark home folder that contains only Spark's jars. */
final class SparkHome {
  private static final Path JARS = Path.of(System.getenv("SPARK_HOME"), "jars");

  private SparkHome() {}

  static void make() throws IOException {
    Files.createDirectories(JARS);
    for (String jar : written("spark.txt")) {
      try {
        Files.createSymbolicLink(JARS.resolve(Path.of(jar).getFileName()), Path.of(jar));
      } catch (FileAlreadyExistsException e) {
        // left by the last run
      }
    }
  }

  static String classPath() {
    return JARS.resolve("*").toString();
  }

  /** Reads a class path that the build has written. */
  static List<String> written(String file) throws IOException {
    return List.of(Files.readString(Path.of("target", file)).split(File.pathSeparator));
  }
}

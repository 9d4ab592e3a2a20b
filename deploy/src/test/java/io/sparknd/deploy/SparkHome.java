/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.nio.file.StandardCopyOption.COPY_ATTRIBUTES;
import static java.nio.file.StandardCopyOption.REPLACE_EXISTING;

import java.io.File;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** A Spark home folder: Spark's jars, and stand-ins for the programs of a distribution. */
final class SparkHome {
  private static final Path HOME = Path.of(System.getenv("SPARK_HOME"));
  private static final Path JARS = HOME.resolve("jars");

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

  /** Adds the programs, such as {@code spark-submit}, and returns their folder. */
  static Path addPrograms() throws IOException {
    Path programs = Files.createDirectories(HOME.resolve("bin"));
    try (Stream<Path> files = Files.list(Path.of("src", "test", "images"))) {
      for (Path file : files.toList()) {
        Files.copy(file, programs.resolve(file.getFileName()), REPLACE_EXISTING, COPY_ATTRIBUTES);
      }
    }
    return programs;
  }

  static String classPath() {
    return JARS.resolve("*").toString();
  }

  /** Reads a class path that the build has written. */
  static List<String> written(String file) throws IOException {
    return List.of(Files.readString(Path.of("target", file)).split(File.pathSeparator));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;

/** A folder in Maven repository layout with the jars and POMs that would be deployed. */
final class MavenRepository {
  static final String VERSION = System.getProperty("sparknd.version");

  private static final String RUNTIME = ofSpark("sparknd-spark-runtime");
  private static final String FUNCTIONS = ofSpark("sparknd-udfs");

  /** Maven's local repository. */
  static final Path LOCAL = Path.of(System.getProperty("maven.local"));

  private MavenRepository() {}

  /**
   * Returns the name of an artifact that is compiled against Spark.
   *
   * @param name such as {@code sparknd-udfs}
   */
  static String ofSpark(String name) {
    return name + "-" + System.getProperty("sparknd.suffix");
  }

  /** Creates the folder. */
  static void fill(Path folder) throws IOException {
    Path group = folder.resolve(Path.of("io", "sparknd"));
    copy(Path.of("..", "pom.xml"), group, "sparknd-parent", ".pom");
    copy(Path.of("..", "spark-ext", "pom.xml"), group, "sparknd-engine", ".pom");
    Path engine = Path.of("..", "spark-ext", "dist");
    // without the shaded dependencies
    copy(engine.resolve("dependency-reduced-pom.xml"), group, RUNTIME, ".pom");
    copy(jar(engine, RUNTIME), group, RUNTIME, ".jar");
    Path functions = Path.of("..", "udfs");
    copy(functions.resolve("pom.xml"), group, FUNCTIONS, ".pom");
    copy(jar(functions, FUNCTIONS), group, FUNCTIONS, ".jar");
  }

  /**
   * Like {@link #fill}, with links to everything else in Maven's local repository: the result of
   * {@code mvn install}, without changing the local repository.
   */
  static void fillAsInstalled(Path folder) throws IOException {
    fill(folder);
    link(LOCAL, folder, "io");
    link(LOCAL.resolve("io"), folder.resolve("io"), "sparknd");
  }

  /** Links all files of a folder except one name. */
  private static void link(Path from, Path to, String but) throws IOException {
    try (Stream<Path> files = Files.list(from)) {
      List<Path> others = files.filter(file -> !file.endsWith(but)).toList();
      for (Path file : others) {
        Files.createSymbolicLink(to.resolve(file.getFileName()), file.toAbsolutePath());
      }
    }
  }

  /**
   * Fills a folder with jars of Maven's local repository, as artifacts that need no others: what
   * they need, Spark has.
   *
   * @param artifacts such as {@code org.xerial:sqlite-jdbc:3.50.3.0}
   */
  static void fillAlone(Path folder, Set<String> artifacts) throws IOException {
    for (String artifact : artifacts) {
      String[] parts = artifact.split(":");
      Path version = Path.of(parts[0].replace('.', '/'), parts[1], parts[2]);
      String file = parts[1] + "-" + parts[2];
      Path to = Files.createDirectories(folder.resolve(version));
      Files.createSymbolicLink(
          to.resolve(file + ".jar"), LOCAL.resolve(version).resolve(file + ".jar"));
      Files.writeString(
          to.resolve(file + ".pom"),
          """
          <project><modelVersion>4.0.0</modelVersion><groupId>%s</groupId>
          <artifactId>%s</artifactId><version>%s</version></project>
          """
              .formatted((Object[]) parts));
    }
  }

  /** Writes Ivy settings that resolve artifacts from a repository only, and returns the file. */
  static Path ivySettings(Path directory, Path repository) throws IOException {
    return Files.writeString(
        directory.resolve("ivysettings.xml"),
        """
        <ivysettings>
          <settings defaultResolver="maven"/>
          <resolvers>
            <ibiblio name="maven" m2compatible="true" root="%s"/>
          </resolvers>
        </ivysettings>
        """
            .formatted(repository.toUri()));
  }

  private static Path jar(Path module, String name) {
    return module.resolve("target").resolve(name + "-" + VERSION + ".jar");
  }

  private static void copy(Path file, Path group, String name, String suffix) throws IOException {
    Path folder = Files.createDirectories(group.resolve(name).resolve(VERSION));
    Files.copy(file, folder.resolve(name + "-" + VERSION + suffix));
  }
}

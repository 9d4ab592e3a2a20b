/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static java.util.stream.Collectors.toSet;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparknd.docs.Page;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The lines for Spark's own programs, such as {@code spark-sql} and {@code spark-submit}, in a
 * folder that contains only the jars of a checkout. {@code spark-sql} has a stand-in for its main
 * class.
 */
class ShellPagesTest {
  /** An artifact of {@code --packages}. */
  private static final Pattern PACKAGE = Pattern.compile("org\\.[\\w.]+:[\\w.-]+:\\d[\\w.-]*");

  /** Name and version of an artifact that the build has, too. */
  private static final Pattern ARTIFACT =
      Pattern.compile(
          "(iceberg-spark-runtime-[\\w.]+|sqlite-jdbc|sparknd-[a-z-]+[a-z](?:-[\\d.]+_[\\d.]+)?+)"
              + "[:-](\\d[\\w.-]*?)"
              + "(?=\\.jar|\\.?[^\\w.-]|$)");

  /**
   * Adds the settings that the page has by now to those of the test. Folders of the page are below
   * the working directory.
   */
  private static final String BEFORE =
      """
      mkdir -p lake-of-all
      if [ -f spark-defaults.conf ]; then
        { cat "$SPARK_CONF_DIR/test.conf"
          sed "s,/opt/sparknd,$PWD/sparknd,g; s,/srv/lake,$PWD/lake-of-all,g" spark-defaults.conf
        } >"$SPARK_CONF_DIR/spark-defaults.conf"
      fi
      """;

  @ParameterizedTest
  @ValueSource(strings = {"docs/get-started/shells.md", "docs/how-to/nightly-job.md"})
  @Tag("slow")
  void everyLinePrintsWhatItShows(String file, @TempDir Path folder, @TempDir Path directory)
      throws Exception {
    assumeTrue(
        SparkHome.written("deployed.txt").stream().allMatch(jar -> jar.endsWith(".jar")),
        "mvn test builds no jars; use mvn verify");
    Page page = Page.of(file);
    copyJars(folder.resolve("sparknd"));
    new PageShell(folder, BEFORE, environment(directory, packages(page))).runAll(page);
  }

  /** Copies the jars, since {@code bin/sparknd} may build them again in another test meanwhile. */
  private static void copyJars(Path checkout) throws IOException {
    Path root = Page.ROOT.toRealPath();
    for (String jar : SparkHome.written("deployed.txt")) {
      Path file = Path.of(jar).toRealPath();
      if (file.startsWith(root)) {
        Path copy = checkout.resolve(root.relativize(file));
        Files.createDirectories(copy.getParent());
        Files.copy(file, copy);
      }
    }
  }

  /** Returns the artifacts that the page names. */
  private static Set<String> packages(Page page) {
    return page.blocks().stream()
        .flatMap(block -> PACKAGE.matcher(block.text()).results())
        .map(MatchResult::group)
        .collect(toSet());
  }

  /** Makes a Spark home whose settings are those of a short test without a network. */
  private static Map<String, String> environment(Path directory, Set<String> packages)
      throws IOException {
    SparkHome.make();
    Path repository = Files.createDirectory(directory.resolve("repository"));
    MavenRepository.fillAlone(repository, packages);
    List<String> settings =
        List.of(
            "spark.master local[2]",
            "spark.driver.host 127.0.0.1",
            "spark.driver.bindAddress 127.0.0.1",
            "spark.ui.enabled false",
            "spark.sql.shuffle.partitions 2",
            "spark.jars.ivy " + directory.resolve("ivy"),
            "spark.jars.ivySettings " + MavenRepository.ivySettings(directory, repository));
    Files.write(directory.resolve("test.conf"), settings);
    Files.write(directory.resolve("spark-defaults.conf"), settings);
    return Map.of(
        "SPARK_CONF_DIR",
        directory.toString(),
        "SPARK_DIST_CLASSPATH",
        standIn(directory).toString(),
        "SPARK_SUBMIT_OPTS",
        "-XX:TieredStopAtLevel=1",
        "PATH",
        SparkHome.addPrograms() + File.pathSeparator + System.getenv("PATH"));
  }

  /** Returns a class path with the stand-in only. */
  private static Path standIn(Path directory) throws IOException {
    Path classFile = Path.of(SparkSQLCLIDriver.class.getName().replace('.', '/') + ".class");
    Path copy = directory.resolve("stand-in").resolve(classFile);
    Files.createDirectories(copy.getParent());
    Files.copy(Path.of("target", "test-classes").resolve(classFile), copy);
    return directory.resolve("stand-in");
  }

  @Test
  void pagesNameTheVersionsOfThisBuild() throws IOException {
    List<String> jars =
        Stream.concat(
                SparkHome.written("spark.txt").stream(), SparkHome.written("deployed.txt").stream())
            .map(jar -> Path.of(jar).getFileName().toString())
            .toList();
    List<MatchResult> named =
        Page.all().stream()
            .filter(page -> page.isBelow("docs/get-started") || page.isBelow("docs/how-to"))
            .flatMap(page -> page.lines().stream())
            .flatMap(line -> ARTIFACT.matcher(line).results())
            .toList();
    assertThat(named).hasSizeGreaterThan(10);
    assertThat(named)
        .allSatisfy(
            artifact ->
                assertThat(
                        artifact.group(1).startsWith("sparknd-")
                            ? artifact.group(2).equals(MavenRepository.VERSION)
                            : jars.contains(artifact.group(1) + "-" + artifact.group(2) + ".jar"))
                    .as(artifact.group())
                    .isTrue());
  }
}

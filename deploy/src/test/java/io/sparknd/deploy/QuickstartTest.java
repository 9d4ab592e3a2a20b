/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.deploy;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.sparknd.docs.Page;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The files and commands of the quickstart, in a folder that contains only the checkout. */
class QuickstartTest {
  private static final Page PAGE = Page.of("docs/get-started/quickstart.md");
  private static final Pattern DEPENDENCY =
      Pattern.compile("<artifactId>(.+?)</artifactId>\\s*<version>(.+?)</version>");
  private static final Pattern PLUGIN =
      Pattern.compile("<artifactId>maven-(.+?)-plugin</artifactId>\\s*<version>(.+?)</version>");

  /** Runs Maven offline with a repository in which SparkND is installed. */
  private static final String MAVEN =
      "mvn() { command mvn --offline -Dmaven.repo.local=\"$INSTALLED\" \"$@\"; }\n";

  @Test
  @Tag("slow")
  void everyCommandPrintsWhatItShows(@TempDir Path folder, @TempDir Path installed)
      throws Exception {
    assumeTrue(
        Stream.of(jars("deployed.txt")).anyMatch(jar -> jar.contains("/sparknd-spark-runtime-")),
        "mvn test builds no jars; use mvn verify");
    Files.createSymbolicLink(folder.resolve("sparknd"), Page.ROOT.toRealPath());
    MavenRepository.fillAsInstalled(installed);
    new PageShell(folder, MAVEN, Map.of("INSTALLED", installed.toString())).runAll(PAGE);
  }

  /** The versions in the quickstart's POM are the tested ones. */
  @Test
  void theProjectHasTheVersionsOfThisBuild() throws IOException {
    String build = Files.readString(Page.ROOT.resolve("pom.xml"));
    List<String> jars =
        Stream.of("spark.txt", "deployed.txt")
            .flatMap(file -> Stream.of(jars(file)))
            .map(jar -> Path.of(jar).getFileName().toString())
            .toList();
    List<String> wanted =
        PAGE.blocks("xml").stream()
            .map(block -> block.text().replaceAll("(?s).*<dependencies>|</dependencies>.*", ""))
            .flatMap(dependencies -> DEPENDENCY.matcher(dependencies).results())
            .map(found -> found.group(1) + "-" + found.group(2))
            .toList();
    String version = version(build);
    assertThat(wanted).hasSizeGreaterThan(3);
    assertThat(wanted)
        .allSatisfy(
            artifact ->
                assertThat(isOurs(artifact, version) || jars.contains(artifact + ".jar"))
                    .as(artifact)
                    .isTrue());
    List<String> plugins =
        PAGE.blocks("xml").stream()
            .flatMap(block -> PLUGIN.matcher(block.text()).results())
            .map(
                found ->
                    String.format("<%1$s.plugin.version>%2$s</", found.group(1), found.group(2)))
            .toList();
    assertThat(plugins)
        .hasSizeGreaterThan(2)
        .allSatisfy(plugin -> assertThat(build).contains(plugin));
  }

  private static boolean isOurs(String artifact, String version) {
    return Stream.of("sparknd-spark-runtime", "sparknd-udfs")
        .anyMatch(name -> artifact.equals(MavenRepository.ofSpark(name) + "-" + version));
  }

  private static String version(String pom) {
    return pom.replaceAll("(?s).*?<version>(.+?)</version>.*", "$1");
  }

  private static String[] jars(String file) {
    try {
      return Files.readString(Path.of("target", file)).strip().split(File.pathSeparator);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

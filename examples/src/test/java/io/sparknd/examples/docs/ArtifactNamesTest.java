/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.docs;

import static java.util.stream.Collectors.joining;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.docs.Page;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Names of artifacts say against which Spark and Scala they are compiled. */
class ArtifactNamesTest {
  private static final PomVersions POM = PomVersions.read();
  private static final List<MavenModule> MODULES = MavenModule.all();
  private static final String SUFFIX =
      "-" + POM.of("spark.binary.version") + "_" + POM.of("scala.binary.version");

  /** A name with any suffix. */
  private static final Pattern NAME =
      Pattern.compile("(?<![\\w-])sparknd-[a-z-]*[a-z]-\\d+\\.\\d+_\\d+\\.\\d+");

  static List<MavenModule> modules() {
    return MODULES;
  }

  static List<Path> texts() {
    return Stream.of(
            MarkdownFiles.all().stream(), sources(), files(".yml"), files(".sh"), files("NOTICE"))
        .flatMap(files -> files)
        .toList();
  }

  private static Stream<Path> sources() {
    return files(".java").filter(file -> file.toString().contains("/src/main/"));
  }

  private static Stream<Path> files(String ending) {
    return MarkdownFiles.below(Page.ROOT, ending).stream();
  }

  @Test
  void theSuffixIsTheSparkOfTheDefaultBuild() {
    assertThat(POM.of("spark.version")).startsWith(POM.of("spark.binary.version") + ".");
    assertThat(POM.of("spark.supported").split(" ")).contains(POM.of("spark.binary.version"));
  }

  @ParameterizedTest
  @MethodSource("modules")
  void whatIsCompiledAgainstSparkHasTheSuffix(MavenModule module) {
    if (module.isDeployed() && module.needsSpark()) {
      assertThat(module.artifact()).endsWith(SUFFIX);
    } else {
      assertThat(module.artifact()).matches("sparknd-[a-z-]+");
    }
  }

  @Test
  void namesInTextsAreOfModules() {
    List<String> artifacts = MODULES.stream().map(MavenModule::artifact).toList();
    Stream<Path> scripts = MarkdownFiles.below(Page.ROOT.resolve("bin"), "").stream();
    List<String> named =
        Stream.concat(texts().stream(), scripts).flatMap(file -> found(NAME, file)).toList();
    assertThat(named).hasSizeGreaterThan(10);
    assertThat(artifacts).containsAll(named);
  }

  @Test
  void namesInTextsHaveTheSuffix() {
    Pattern bare = withoutSuffix();
    assertThat(texts()).allSatisfy(file -> assertThat(found(bare, file)).as("%s", file).isEmpty());
  }

  @Test
  void aNameWithoutSuffixIsFound() {
    assertThat("`sparknd-udfs`, sparknd-gpu.jar, sparknd-spark-0.1.0.jar, a/sparknd-cli-*.jar")
        .satisfies(text -> assertThat(withoutSuffix().matcher(text).results()).hasSize(4));
    assertThat("sparknd-udfs" + SUFFIX + ", sparknd-spark-other, sparknd-core, libsparknd-gpu.so")
        .satisfies(text -> assertThat(withoutSuffix().matcher(text).results()).isEmpty());
  }

  /** Returns a pattern of names that lack their suffix, alone or as the start of a file's name. */
  private static Pattern withoutSuffix() {
    String names =
        MODULES.stream()
            .map(MavenModule::artifact)
            .filter(name -> name.endsWith(SUFFIX))
            .map(name -> name.substring(0, name.length() - SUFFIX.length()))
            .collect(joining("|"));
    String end = "(?:(?![\\w-])|(?=-\\*|-\\d+\\.\\d+\\.))";
    return Pattern.compile("(?<![\\w-])(?:" + names + ")" + end);
  }

  private static Stream<String> found(Pattern pattern, Path file) {
    return pattern.matcher(MarkdownFiles.text(file)).results().map(MatchResult::group);
  }
}

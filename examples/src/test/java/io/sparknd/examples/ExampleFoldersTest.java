/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cli.Example;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import picocli.CommandLine;

/** Folders that examples cannot write to are refused before Spark starts. */
class ExampleFoldersTest {
  private static final String MASTER = "spark.master";

  @TempDir private Path directory;

  /** Spark does not start, so an example that starts it first fails otherwise. */
  @BeforeEach
  void nameNoMaster() {
    System.setProperty(MASTER, "nowhere");
  }

  @AfterEach
  void forgetMaster() {
    System.clearProperty(MASTER);
  }

  static Stream<Example> examples() {
    return Stream.of(
        new Class2Vec(), new ClickPrediction(), new MatrixFactorization(), new FeatureStore());
  }

  @ParameterizedTest
  @MethodSource("examples")
  void foldersInAFileAreRefusedBeforeAnythingRuns(Example example) throws IOException {
    Path file = Files.createFile(directory.resolve("file"));
    Path folder = file.resolve("folder");
    String option = example instanceof FeatureStore ? "--dir" : "--out";
    new CommandLine(example).parseArgs(option, folder.toString());

    assertThatThrownBy(example::run)
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(folder + " cannot be written");
  }
}

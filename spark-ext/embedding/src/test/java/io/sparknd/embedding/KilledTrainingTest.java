/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.launcher.JavaModuleOptions;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that a training whose JVM is killed is resumed with the same bits. */
@Tag("slow")
class KilledTrainingTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(500, 4, Optimizer.adam(0.05))
          .withInitializer(Initializer.uniform(-1, 1, 3))
          .withPartitions(2);
  private static final Pulls MODEL = new Pulls(SPEC.rows(), 20);
  private static final int SHARDS = 2;
  private static final int STEPS = 120;
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;

  /** Trains in another JVM, until it is killed. */
  public static void main(String[] args) {
    Batches<long[]> heldOut =
        Batches.generated(SHARDS, (step, shard) -> MODEL.batch(5000 + step, shard));
    training(LocalSpark.session(), args[0], heldOut).run();
  }

  private static Training<long[]> training(
      SparkSession spark, String path, Batches<long[]> heldOut) {
    return EmbeddingTable.create(spark, SPEC)
        .train(Batches.generated(SHARDS, MODEL::batch), MODEL)
        .steps(STEPS)
        .validate(10, TrainingValidation.loss(heldOut, MODEL, 2))
        .keepBest()
        .saveCheckpoints(TrainingCheckpoints.of(path, 10));
  }

  @Test
  void killedTrainingIsResumedWithTheSameBits() throws Exception {
    Path saved = directory.resolve("run");
    Process process = start(saved);
    try {
      Instant end = Instant.now().plus(PATIENCE);
      while (checkpoints(saved) < 2 && process.isAlive() && Instant.now().isBefore(end)) {
        Thread.sleep(20);
      }
    } finally {
      process.destroyForcibly();
    }
    assertThat(process.waitFor()).as("exit code of a killed process").isNotZero();
    assertThat(checkpoints(saved)).isPositive();
    Batches<long[]> heldOut =
        Batches.generated(SHARDS, (step, shard) -> MODEL.batch(5000 + step, shard));
    TrainedEmbedding resumed = training(LocalSpark.session(), saved.toString(), heldOut).resume();
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, STEPS, 1);
    TensorAssert.assertSameBits(resumed.table().weights().collect(), naive.weights());
    assertThat(resumed.steps().get(0).step()).isPositive().isLessThan(STEPS);
    TrainedEmbedding whole =
        training(LocalSpark.session(), directory.resolve("whole").toString(), heldOut).run();
    assertThat(resumed.validations())
        .extracting(ValidatedStep::metrics)
        .isEqualTo(whole.validations().stream().map(ValidatedStep::metrics).toList());
    TensorAssert.assertSameBits(
        resumed.best().orElseThrow().table().weights().collect(),
        whole.best().orElseThrow().table().weights().collect());
  }

  private Process start(Path saved) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(Arrays.asList(JavaModuleOptions.defaultModuleOptionArray()));
    command.addAll(List.of("-Xmx512m", "-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    String classPath = System.getProperty("java.class.path");
    command.addAll(List.of("-cp", classPath, KilledTrainingTest.class.getName(), saved.toString()));
    File log = directory.resolve("process.log").toFile();
    return new ProcessBuilder(command).redirectErrorStream(true).redirectOutput(log).start();
  }

  private static long checkpoints(Path saved) throws IOException {
    if (!Files.exists(saved)) {
      return 0;
    }
    try (Stream<Path> all = Files.list(saved)) {
      return all.filter(path -> path.getFileName().toString().startsWith("checkpoint-")).count();
    }
  }
}

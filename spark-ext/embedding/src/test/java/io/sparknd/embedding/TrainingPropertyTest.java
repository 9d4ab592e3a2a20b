/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.optimizer.Clip;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.metrics.Counted;
import io.sparknd.metrics.SparkNdMetric;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import net.jqwik.api.ShrinkingMode;
import org.apache.spark.util.ShutdownHookManager;

/**
 * Tests that weights and losses equal those of a naive trainer, bit for bit, for any partitioning.
 */
class TrainingPropertyTest {

  /**
   * The input of one trial.
   *
   * @param stops whether the training is saved and loaded, or repartitioned, after the first half
   */
  record Run(
      EmbeddingSpec spec, int shards, int examples, int steps, int stepsPerJob, Stop stops) {}

  enum Stop {
    NOT,
    SAVED,
    REPARTITIONED
  }

  @Property(tries = 15, shrinking = ShrinkingMode.OFF)
  void sameBitsAsTheNaiveTrainer(@ForAll("runs") Run run) throws IOException {
    EmbeddingSpec spec = run.spec();
    Pulls model = new Pulls(spec.rows(), run.examples());
    NaiveTrainer naive = new NaiveTrainer(spec);
    naive.train(model, run.shards(), run.steps(), run.stepsPerJob());
    naive.train(model, run.shards(), run.steps(), run.stepsPerJob());
    try (Counted counted = Counted.start();
        EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), spec)) {
      TrainedEmbedding half = train(table, model, run);
      TrainedEmbedding whole = train(stopped(half.table(), run.stops()), model, run);
      assertThat(counted.of(SparkNdMetric.TRAINING_STEPS)).isEqualTo(2L * run.steps());
      assertThat(counted.of(SparkNdMetric.TRAINING_EXAMPLES))
          .isEqualTo(2L * run.steps() * run.shards() * run.examples());
      assertThat(counted.of(SparkNdMetric.TASK_STEP_NANOS)).isPositive();
      TensorAssert.assertSameBits(whole.table().weights().collect(), naive.weights());
      assertThat(half.steps()).hasSize(run.steps());
      for (int i = 0; i < run.steps(); i++) {
        assertThat(half.steps().get(i).loss().sum()).isEqualTo(naive.losses.get(i));
        TrainedStep later = whole.steps().get(i);
        assertThat(later.step()).isEqualTo(run.steps() + i);
        assertThat(later.loss().sum()).isEqualTo(naive.losses.get(run.steps() + i));
      }
      half.table().close();
      whole.table().close();
    }
  }

  private static TrainedEmbedding train(EmbeddingTable table, Pulls model, Run run) {
    return table
        .train(Batches.generated(run.shards(), model::batch), model)
        .steps(run.steps())
        .stepsPerJob(run.stepsPerJob())
        .run();
  }

  private static EmbeddingTable stopped(EmbeddingTable table, Stop how) throws IOException {
    return switch (how) {
      case NOT -> table;
      case REPARTITIONED -> table.repartition(3);
      case SAVED -> {
        Path directory = Files.createTempDirectory("sparknd-embedding").resolve("t");
        ShutdownHookManager.registerShutdownDeleteDir(directory.getParent().toFile());
        table.save(directory.toString());
        yield EmbeddingTable.load(LocalSpark.session(), directory.toString()).repartition(2);
      }
    };
  }

  @Provide
  Arbitrary<Run> runs() {
    return Combinators.combine(
            specs(),
            Arbitraries.integers().between(1, 3),
            Arbitraries.integers().between(0, 40),
            Arbitraries.integers().between(1, 5),
            Arbitraries.integers().between(1, 4),
            Arbitraries.of(Stop.class))
        .as(Run::new);
  }

  private static Arbitrary<EmbeddingSpec> specs() {
    return Combinators.combine(
            Arbitraries.integers().between(1, 700),
            Arbitraries.of(1, 2, 7, 16, 300),
            Arbitraries.of(optimizers()),
            Arbitraries.of(DType.FLOAT32, DType.FLOAT16, DType.BFLOAT16),
            Arbitraries.integers().between(1, 5),
            Arbitraries.of(WeightRounding.class),
            Arbitraries.of(DType.FLOAT32, DType.BFLOAT16))
        .as(
            (rows, dim, optimizer, dtype, partitions, rounding, state) ->
                EmbeddingSpec.of(rows, dim, optimizer)
                    .withDType(dtype)
                    .withStateDType(isNarrowable(optimizer) ? state : DType.FLOAT32)
                    .withInitializer(Initializer.uniform(-0.5, 0.5, rows))
                    .withPartitions(partitions)
                    .withRounding(rounding));
  }

  static boolean isNarrowable(Optimizer optimizer) {
    return optimizer.slots().stream()
        .anyMatch(slot -> slot.precision() == OptimizerSlot.Precision.TABLE);
  }

  private static List<Optimizer> optimizers() {
    return List.of(
        Optimizer.sgd(0.05).withClip(Clip.byNorm(4)),
        Optimizer.momentum(0.02, 0.9).withClip(Clip.byNorm(1)),
        Optimizer.adagrad(0.1),
        Optimizer.rowWiseAdagrad(0.1).withL2(1e-3),
        Optimizer.adam(0.01),
        Optimizer.adamW(0.01),
        Optimizer.lamb(0.01),
        Optimizer.lion(0.001),
        Optimizer.adadelta(1),
        Optimizer.torchAdagrad(0.1),
        Optimizer.ftrl(0.1));
  }
}

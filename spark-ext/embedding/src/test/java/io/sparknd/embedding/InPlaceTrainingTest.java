/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.embedding.optimizer.WeightRounding;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/**
 * Tests in local mode that no version that a caller has is changed by the in-place updates of later
 * trainings, whether these succeed or fail.
 */
class InPlaceTrainingTest {
  private static final int SHARDS = 2;
  private static final int STEPS = 5;
  private static final Pulls MODEL = new Pulls(300, 12);
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(300, 8, Optimizer.adam(0.05))
          .withInitializer(Initializer.uniform(-1, 1, 3))
          .withPartitions(3);

  /** Fails in one shard at a step, when the owners have updated their rows for it. */
  private record FailsAt(int step) implements StepFunction<Part> {
    @Override
    public long[] ids(Part part) {
      return part.ids();
    }

    @Override
    public Loss step(Part part, EmbeddingRows rows) {
      if (part.step() == step && part.shard() == 1) {
        throw new IllegalStateException("step " + step);
      }
      return MODEL.step(part.ids(), rows);
    }
  }

  /** Two shards whose gradients are finite, and whose sum for the last row is not. */
  private record Overflows(int step) implements StepFunction<Part> {
    @Override
    public long[] ids(Part part) {
      return part.ids();
    }

    @Override
    public Loss step(Part part, EmbeddingRows rows) {
      Loss loss = MODEL.step(part.ids(), rows);
      if (part.step() == step) {
        for (int slot = 0; slot < rows.count(); slot++) {
          if (rows.id(slot) == 7) {
            rows.gradients()[slot * rows.dim()] = 3e38f;
          }
        }
      }
      return loss;
    }
  }

  private record Part(long step, int shard, long[] ids) {}

  private static Part part(long step, int shard) {
    long[] ids = MODEL.batch(step, shard);
    ids[ids.length - 1] = 7;
    return new Part(step, shard, ids);
  }

  private static Training<long[]> training(EmbeddingTable table) {
    return table.train(Batches.generated(SHARDS, MODEL::batch), MODEL).steps(STEPS);
  }

  private static EmbeddingTable trained(SparkSession spark, EmbeddingSpec spec) {
    return training(EmbeddingTable.create(spark, spec)).run().table();
  }

  private static Tensor afterTwoTrainings(EmbeddingSpec spec) {
    NaiveTrainer naive = new NaiveTrainer(spec);
    naive.train(MODEL, SHARDS, 2 * STEPS, 1);
    return naive.weights();
  }

  @Test
  void aTrainingThatFailsLeavesItsTableAsItWas() {
    EmbeddingTable table = trained(LocalSpark.session(), SPEC);
    Tensor before = table.weights().collect();
    Map<Long, List<Long>> stored = StoredTables.rows(table);
    Batches<Part> parts = Batches.generated(SHARDS, InPlaceTrainingTest::part);
    for (int perJob : List.of(1, 2)) {
      assertThatThrownBy(
              table.train(parts, new FailsAt(STEPS + 3)).steps(STEPS).stepsPerJob(perJob)::run)
          .hasMessageContaining("step " + (STEPS + 3));
      assertThatThrownBy(
              table.train(parts, new Overflows(STEPS + 3)).steps(STEPS).stepsPerJob(perJob)::run)
          .isInstanceOf(SparkNdException.class);
      TensorAssert.assertSameBits(table.weights().collect(), before);
      assertThat(StoredTables.rows(table)).isEqualTo(stored);
    }
    TensorAssert.assertSameBits(
        training(table).run().table().weights().collect(), afterTwoTrainings(SPEC));
  }

  @Test
  void trainingsOfOneTableAtTheSameTimeDoNotMeet() throws Exception {
    EmbeddingTable table = trained(LocalSpark.session(), SPEC);
    Tensor before = table.weights().collect();
    List<CompletableFuture<TrainedEmbedding>> runs = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      runs.add(CompletableFuture.supplyAsync(training(table)::run));
    }
    for (CompletableFuture<TrainedEmbedding> run : runs) {
      TensorAssert.assertSameBits(run.get().table().weights().collect(), afterTwoTrainings(SPEC));
    }
    TensorAssert.assertSameBits(table.weights().collect(), before);
  }

  /** Lineage that is not cut has versions whose blocks were taken. */
  @Test
  void versionsThatValidationsSawAndTheBestAreKept() {
    for (int perCut : List.of(1, 3, 100)) {
      List<Tensor> seen = new ArrayList<>();
      List<EmbeddingTable> versions = new ArrayList<>();
      EmbeddingTable table = EmbeddingTable.create(LocalSpark.session(), SPEC);
      TrainingValidation toTwo =
          version -> {
            versions.add(version);
            seen.add(version.weights().collect());
            return List.of(
                new MetricValue("steps", MetricGoal.MINIMIZE, Math.abs(version.steps() - 2)));
          };
      TrainedEmbedding run =
          training(table).checkpointEvery(perCut).validate(1, toTwo).keepBest().run();
      TensorAssert.assertSameBits(
          run.best().orElseThrow().table().weights().collect(), seen.get(1));
      assertThat(versions).hasSize(STEPS);
      for (int step = 1; step <= STEPS; step++) {
        NaiveTrainer naive = new NaiveTrainer(SPEC);
        naive.train(MODEL, SHARDS, step, 1);
        TensorAssert.assertSameBits(seen.get(step - 1), naive.weights());
      }
      TensorAssert.assertSameBits(table.weights().collect(), new NaiveTrainer(SPEC).weights());
    }
  }

  /** Every kind of array in a block is updated in place. */
  @Test
  void everyLayoutHasTheBitsOfTheNaiveTrainer() {
    EmbeddingSpec keyed =
        EmbeddingSpec.keyed(8, Optimizer.adam(0.05))
            .withInitializer(Initializer.uniform(-1, 1, 3))
            .withPartitions(3);
    for (EmbeddingSpec spec :
        List.of(
            SPEC.withDType(DType.FLOAT16).withRounding(WeightRounding.STOCHASTIC).withRowUsage(),
            SPEC.withDType(DType.BFLOAT16).withStateDType(DType.BFLOAT16).withRowUsage(),
            keyed.withRowUsage(),
            keyed.withAdmission(RowAdmission.after(2)),
            keyed.withAdmission(RowAdmission.after(3)).withStateDType(DType.BFLOAT16))) {
      EmbeddingTable first = trained(LocalSpark.session(), spec);
      EmbeddingTable second = training(first).stepsPerJob(2).run().table();
      NaiveTrainer naive = new NaiveTrainer(spec);
      naive.train(MODEL, SHARDS, STEPS, 1);
      assertStored(first, naive);
      naive.train(MODEL, SHARDS, STEPS, 2);
      assertStored(second, naive);
    }
  }

  private static void assertStored(EmbeddingTable table, NaiveTrainer naive) {
    assertThat(StoredTables.rows(table)).as("%s", table).isEqualTo(naive.stored());
    if (table.spec().admission() instanceof RowAdmission.Counted) {
      assertThat(StoredTables.candidates(table)).as("%s", table).isEqualTo(naive.candidates());
    }
  }
}

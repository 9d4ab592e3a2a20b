/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.CachedPartitions;
import io.sparknd.cluster.internal.spark.LocalMapOutputs;
import io.sparknd.embedding.internal.loop.LocalLimits;
import io.sparknd.embedding.internal.loop.LocalLoop;
import io.sparknd.embedding.internal.loop.LocalRun;
import io.sparknd.embedding.internal.loop.LoopInputs;
import io.sparknd.embedding.internal.loop.RetainedVersions;
import io.sparknd.embedding.internal.step.StepRanges;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.util.LongAccumulator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests that trainings by jobs of many steps have the bits of the naive trainer. */
class LocalLoopTest {
  private static final int SHARDS = 2;
  private static final int STEPS = 7;
  private static final long LONG = Long.MAX_VALUE;
  private static final Pulls MODEL = new Pulls(900, 40);
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(900, 8, Optimizer.adagrad(0.1))
          .withInitializer(Initializer.uniform(-1, 1, 3))
          .withPartitions(3);

  private final SparkSession spark = LocalSpark.session();
  private final List<Long> steps = new ArrayList<>();

  @AfterEach
  void nothingIsLeft() {
    assertThat(LocalRun.runs()).isZero();
    assertThat(LocalMapOutputs.shuffles()).isZero();
  }

  private EmbeddingTable trained(EmbeddingTable table, LocalLimits limits, int perJob) {
    return trained(table, limits, perJob, Batches.generated(SHARDS, MODEL::batch), MODEL);
  }

  private EmbeddingTable trained(
      EmbeddingTable table,
      LocalLimits limits,
      int perJob,
      Batches<long[]> batches,
      StepFunction<long[]> model) {
    TableOperations operations = new TableOperations();
    LoopInputs<long[]> inputs =
        LoopInputs.of(operations, table, batches::shards, new OneTableFunction<>(model));
    assertThat(LocalLoop.isPossible(inputs)).isTrue();
    long end = table.steps() + STEPS;
    try (LocalLoop<long[]> loop = new LocalLoop<>(inputs, new RetainedVersions(1, 0), limits)) {
      loop.train(
          table.steps(),
          new StepRanges(perJob, end),
          (job, losses, nanoTime) -> {
            assertThat(losses).hasSize(job.count());
            IntStream.range(0, job.count()).forEach(i -> steps.add(job.step(i)));
          });
      return operations.next(table, loop.end(), end, loop.versions());
    }
  }

  /** Some limits are reached at once, some after steps, some never; 1 ns is a job a step. */
  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 9223372036854775807, 9223372036854775807, 1",
    "9223372036854775807, 9223372036854775807, 9223372036854775807, 3",
    "9223372036854775807, 9223372036854775807, 1, 1",
    "9223372036854775807, 9223372036854775807, 1, 3",
    "0, 9223372036854775807, 9223372036854775807, 1",
    "30000, 9223372036854775807, 9223372036854775807, 2",
    "9223372036854775807, 0, 9223372036854775807, 1",
    "9223372036854775807, 4400, 9223372036854775807, 1"
  })
  void everyLimitHasTheSameBits(long partitionBytes, long rowBytes, long nanos, int perJob) {
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, STEPS, perJob);
    try (EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
        EmbeddingTable after =
            trained(table, new LocalLimits(partitionBytes, rowBytes, nanos), perJob)) {
      TensorAssert.assertSameBits(after.weights().collect(), naive.weights());
      TensorAssert.assertSameBits(table.weights().collect(), new NaiveTrainer(SPEC).weights());
    }
    assertThat(steps).isEqualTo(LongStream.range(0, STEPS).boxed().toList());
  }

  /** Adds to everything after the rows, too. */
  private record Untidy() implements StepFunction<long[]> {
    private static final int[] IDS = {60, 50, 56, 2, 60, 40, 64, 80};

    static long[] batch(long step, int shard) {
      return Arrays.copyOf(MODEL.batch(step, shard), IDS[(int) (step + shard) % IDS.length]);
    }

    @Override
    public long[] ids(long[] batch) {
      return batch;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      Loss loss = MODEL.step(batch, rows);
      for (int i = rows.count() * rows.dim(); i < rows.values().length; i++) {
        assertThat(rows.values()[i]).isNaN();
        rows.gradients()[i] += 1;
      }
      return loss;
    }
  }

  /** Buffers are those of the steps before, for more and fewer rows; step 6 exceeds 4,000 bytes. */
  @ParameterizedTest
  @CsvSource({
    "9223372036854775807, 9223372036854775807, 1",
    "9223372036854775807, 9223372036854775807, 3",
    "9223372036854775807, 1, 1",
    "4000, 9223372036854775807, 1"
  })
  void whatAStepWritesAfterTheRowsIsNoGradient(long rowBytes, long nanos, int perJob) {
    Batches<long[]> batches = Batches.generated(SHARDS, Untidy::batch);
    try (EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
        EmbeddingTable expected =
            trained(table, new LocalLimits(0, LONG, LONG), perJob, batches, MODEL);
        EmbeddingTable after =
            trained(table, new LocalLimits(LONG, rowBytes, nanos), perJob, batches, new Untidy())) {
      TensorAssert.assertSameBits(after.weights().collect(), expected.weights().collect());
    }
  }

  /** The version is in memory, so its bytes are known: a limit below them is kept, too. */
  @ParameterizedTest
  @CsvSource({"9223372036854775807", "30000", "1"})
  void aTrainingGoesOnFromATrainedVersion(long partitionBytes) {
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, STEPS, 1);
    naive.train(MODEL, SHARDS, STEPS, 1);
    LocalLimits limits = new LocalLimits(partitionBytes, LONG, LONG);
    try (EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
        EmbeddingTable first = trained(table, new LocalLimits(LONG, LONG, LONG), 1)) {
      assertThat(CachedPartitions.memoryBytes(first.rdd())).isPresent();
      try (EmbeddingTable second = trained(first, limits, 1)) {
        TensorAssert.assertSameBits(second.weights().collect(), naive.weights());
      }
    }
  }

  /** One task does the work of all: the other core is in use. */
  @Test
  void aTrainingGoesOnWhileAnotherJobHoldsACore() {
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    Held.begun = new CountDownLatch(1);
    Held.released = new CountDownLatch(1);
    CompletableFuture<Void> other =
        CompletableFuture.runAsync(
            () -> context.parallelize(List.of(1), 1).foreach(ignored -> Held.hold()));
    try {
      Held.await(Held.begun);
      everyLimitHasTheSameBits(LONG, LONG, 1, 1);
    } finally {
      Held.released.countDown();
    }
    other.join();
  }

  /** What a task of another job waits for. */
  private static final class Held {
    private static volatile CountDownLatch begun = new CountDownLatch(0);
    private static volatile CountDownLatch released = new CountDownLatch(0);

    static void hold() {
      begun.countDown();
      await(released);
    }

    static void await(CountDownLatch latch) {
      try {
        latch.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  @Test
  void aStepThatFailsInTheMiddleOfARunIsTheErrorOfTheTraining() {
    try (EmbeddingTable table = EmbeddingTable.create(spark, SPEC)) {
      Training<long[]> training =
          table
              .train(
                  Batches.generated(
                      SHARDS,
                      (step, shard) -> {
                        if (step == 4 && shard == 1) {
                          throw new IllegalStateException("no mini-batch of step 4");
                        }
                        return MODEL.batch(step, shard);
                      }),
                  MODEL)
              .steps(STEPS);
      assertThatThrownBy(training::run).hasMessageContaining("no mini-batch of step 4");
      TensorAssert.assertSameBits(table.weights().collect(), new NaiveTrainer(SPEC).weights());
    }
  }

  /** Counts its calls, and the mini-batches that it gets. */
  private record Counting(LongAccumulator calls) implements StepFunction<long[]> {
    @Override
    public long[] ids(long[] batch) {
      return batch;
    }

    @Override
    public Loss step(long[] batch, EmbeddingRows rows) {
      calls.add(1);
      return MODEL.step(batch, rows);
    }
  }

  /** Four shards, of which two at least share a task. */
  @Test
  void accumulatorsCountEveryStepOfEveryShard() {
    LongAccumulator calls = spark.sparkContext().longAccumulator();
    LongAccumulator batches = spark.sparkContext().longAccumulator();
    try (EmbeddingTable table = EmbeddingTable.create(spark, SPEC)) {
      Batches<long[]> counted =
          Batches.generated(
              4,
              (step, shard) -> {
                batches.add(1);
                return MODEL.batch(step, shard);
              });
      table.train(counted, new Counting(calls)).steps(STEPS).run().table().close();
    }
    assertThat(calls.value()).isEqualTo(4L * STEPS);
    assertThat(batches.value()).isEqualTo(4L * STEPS);
  }

  /** A generator that fills the same array in every call. */
  private static final class Reusing implements Batches.Generator<long[]> {
    private static final long serialVersionUID = 1;
    private final long[] ids = new long[2 * MODEL.examples()];

    @Override
    public long[] batch(long step, int shard) {
      System.arraycopy(MODEL.batch(step, shard), 0, ids, 0, ids.length);
      return ids;
    }
  }

  @Test
  void shardsOfOneTaskDoNotShareAGenerator() {
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, 4, STEPS, 1);
    try (EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
        EmbeddingTable after =
            table.train(Batches.generated(4, new Reusing()), MODEL).steps(STEPS).run().table()) {
      TensorAssert.assertSameBits(after.weights().collect(), naive.weights());
    }
  }

  @Test
  void fewPartitionsForTheShardsAreTrainedByShuffles() {
    assertThat(isPossible(1, 2)).isFalse();
    assertThat(isPossible(1, 1)).isTrue();
    assertThat(isPossible(2, 7)).isTrue();
    assertThat(isPossible(90, 30)).isTrue();
  }

  private boolean isPossible(int partitions, int shards) {
    try (EmbeddingTable table = EmbeddingTable.create(spark, SPEC.withPartitions(partitions))) {
      return LocalLoop.isPossible(
          LoopInputs.of(
              new TableOperations(),
              table,
              Batches.generated(shards, MODEL::batch)::shards,
              new OneTableFunction<>(MODEL)));
    }
  }
}

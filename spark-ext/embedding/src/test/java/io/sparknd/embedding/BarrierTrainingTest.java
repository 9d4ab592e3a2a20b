/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.LocalCluster;
import io.sparknd.embedding.internal.loop.BarrierFailures;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.LongStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import scala.jdk.javaapi.CollectionConverters;

/** Trainings on a cluster, whose executors exchange rows and gradients in barrier jobs. */
@Tag("slow")
class BarrierTrainingTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(5_000, 8, Optimizer.adam(0.01))
          .withInitializer(Initializer.uniform(-0.5, 0.5, 3))
          .withPartitions(5);
  private static final Pulls MODEL = new Pulls(SPEC.rows(), 500);
  private static final int SHARDS = 3;
  private static final int STEPS = 60;

  private static LocalCluster cluster;
  private static SparkSession spark;

  @BeforeAll
  static void start() throws IOException {
    // results of tasks pass through it
    String kryo = "org.apache.spark.serializer.KryoSerializer";
    cluster = LocalCluster.start(Map.of("spark.serializer", kryo));
    spark = cluster.session();
    cluster.processes(); // both executors run
  }

  @AfterAll
  static void stop() {
    cluster.close();
  }

  private static Training<long[]> training(EmbeddingSpec spec) {
    return EmbeddingTable.create(spark, spec)
        .train(Batches.generated(SHARDS, MODEL::batch), MODEL)
        .steps(STEPS);
  }

  /** Else each training would leave two copies of a table, until the driver collects garbage. */
  @Test
  void closedVersionsOfWhichNothingIsDerivedTakeNoMemory() throws Exception {
    Set<Object> before = persistent();
    Batches<long[]> batches = Batches.generated(SHARDS, MODEL::batch);
    EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
    for (int i = 0; i < 3; i++) {
      TrainedEmbedding trained = table.train(batches, MODEL).steps(STEPS).checkpointEvery(1).run();
      table.close();
      table = trained.table();
    }
    Set<Object> after = persistent();
    after.removeAll(before);
    assertThat(after).hasSize(1);
    Dataset<Row> ids = spark.range(3).selectExpr("array(id) AS id");
    Dataset<Row> derived = table.lookup(Lookup.sum(), ids, LookupColumns.of("id"));
    List<Row> rows = derived.collectAsList();
    table.close();
    assertThat(derived.collectAsList()).containsExactlyInAnyOrderElementsOf(rows);
  }

  private static Set<Object> persistent() {
    return new HashSet<>(
        CollectionConverters.asJava(spark.sparkContext().getPersistentRDDs()).keySet());
  }

  /** Some jobs take all steps, and the bits and losses are those of one process. */
  @Test
  void fewJobsTakeManySteps() throws Exception {
    AtomicInteger jobs = new AtomicInteger();
    TrainedEmbedding trained = countingJobs(training(SPEC), jobs);
    assertThat(jobs).hasValueLessThan(STEPS / 4);
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, STEPS, 1);
    TensorAssert.assertSameBits(trained.table().weights().collect(), naive.weights());
    assertThat(trained.steps()).extracting(step -> step.loss().sum()).isEqualTo(naive.losses);
    assertThat(trained.steps()).extracting(TrainedStep::step).isSorted().hasSize(STEPS);
    assertThat(trained.steps()).extracting(TrainedStep::seconds).isSorted();
  }

  private static TrainedEmbedding countingJobs(Training<long[]> training, AtomicInteger jobs)
      throws Exception {
    SparkListener count =
        new SparkListener() {
          @Override
          public void onJobStart(SparkListenerJobStart job) {
            jobs.incrementAndGet();
          }
        };
    spark.sparkContext().addSparkListener(count);
    try {
      return training.run();
    } finally {
      spark.sparkContext().listenerBus().waitUntilEmpty();
      spark.sparkContext().removeSparkListener(count);
    }
  }

  /** What a job does before its first steps takes nothing from their time. */
  @Test
  void jobsWhoseBatchesAreReadSlowlyTakeManySteps() throws Exception {
    JavaRDD<long[]> slow =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(0, 1, 2), SHARDS)
            .flatMap(
                shard -> {
                  Thread.sleep(1_000);
                  return LongStream.range(0, STEPS)
                      .mapToObj(step -> MODEL.batch(step, shard))
                      .iterator();
                });
    AtomicInteger jobs = new AtomicInteger();
    spark.conf().set("spark.sparknd.training.jobTime", "400ms");
    try {
      EmbeddingTable table = EmbeddingTable.create(spark, SPEC);
      countingJobs(table.train(Batches.of(slow), MODEL).steps(STEPS), jobs);
    } finally {
      spark.conf().unset("spark.sparknd.training.jobTime");
    }
    assertThat(jobs).hasValueLessThan(STEPS / 4);
  }

  /** Rows of float16 and of float32 travel in the same messages, and mini-batches share jobs. */
  @Test
  void theSettingChangesNoBit() {
    for (DType dtype : List.of(DType.FLOAT32, DType.FLOAT16)) {
      EmbeddingSpec spec = SPEC.withDType(dtype);
      TrainedEmbedding exchanged = training(spec).stepsPerJob(7).run();
      spark.conf().set("spark.sparknd.training.exchange", "shuffle");
      TrainedEmbedding shuffled;
      try {
        shuffled = training(spec).stepsPerJob(7).run();
      } finally {
        spark.conf().unset("spark.sparknd.training.exchange");
      }
      TensorAssert.assertSameBits(
          exchanged.table().weights().collect(), shuffled.table().weights().collect());
      assertThat(exchanged.steps())
          .extracting(TrainedStep::loss)
          .isEqualTo(shuffled.steps().stream().map(TrainedStep::loss).toList());
    }
  }

  /** Jobs end after any steps; a version that is not cut off gets the lineage of those it has. */
  @Test
  void jobsOfAnyLengthChangeNoBit() throws Exception {
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, STEPS, 1);
    for (String time : List.of("0s", "20ms")) {
      spark.conf().set("spark.sparknd.training.jobTime", time);
      try {
        TrainedEmbedding trained = training(SPEC).checkpointEvery(1_000).run();
        TensorAssert.assertSameBits(trained.table().weights().collect(), naive.weights());
        assertThat(trained.steps()).extracting(step -> step.loss().sum()).isEqualTo(naive.losses);
      } finally {
        spark.conf().unset("spark.sparknd.training.jobTime");
      }
    }
  }

  @Test
  void aTimeThatIsNoneIsRefused() {
    for (String time : List.of("soon", "-1s", "1.5s")) {
      spark.conf().set("spark.sparknd.training.jobTime", time);
      try {
        assertThatThrownBy(() -> training(SPEC).run())
            .isInstanceOf(SparkNdException.class)
            .hasMessageContaining("spark.sparknd.training.jobTime = '" + time + "'");
      } finally {
        spark.conf().unset("spark.sparknd.training.jobTime");
      }
    }
  }

  /** The version that a training begins with can be trained again. */
  @Test
  void theFirstVersionRemains() throws Exception {
    EmbeddingTable begin = training(SPEC).run().table();
    EmbeddingTable one = more(begin);
    EmbeddingTable other = more(begin);
    TensorAssert.assertSameBits(one.weights().collect(), other.weights().collect());
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, STEPS, 1);
    TensorAssert.assertSameBits(begin.weights().collect(), naive.weights());
  }

  private static EmbeddingTable more(EmbeddingTable begin) {
    return begin.train(Batches.generated(SHARDS, MODEL::batch), MODEL).steps(20).run().table();
  }

  /**
   * A task has several shards, and each is computed with its own number; the shuffle before them
   * has not run.
   */
  @Test
  void shardsAreComputedAsInTasksOfTheirOwn() throws Exception {
    int shards = 5; // more than cores
    JavaRDD<long[]> batches =
        JavaSparkContext.fromSparkContext(spark.sparkContext())
            .parallelize(List.of(1, 2, 3, 4, 5, 6, 7, 8), 2)
            .repartition(shards)
            .mapPartitions(
                unused -> {
                  int shard = TaskContext.getPartitionId();
                  return LongStream.range(0, STEPS)
                      .mapToObj(step -> MODEL.batch(step, shard))
                      .iterator();
                });
    TrainedEmbedding trained =
        EmbeddingTable.create(spark, SPEC).train(Batches.of(batches), MODEL).steps(STEPS).run();
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, shards, STEPS, 1);
    TensorAssert.assertSameBits(trained.table().weights().collect(), naive.weights());
  }

  /** An error of a step is the one that a job of shuffles reports. */
  @Test
  void errorsOfStepsAreReported() {
    Batches<long[]> outside =
        Batches.generated(
            SHARDS, (step, shard) -> step == 30 ? new long[] {9_999} : MODEL.batch(step, shard));
    assertThatThrownBy(
            () -> EmbeddingTable.create(spark, SPEC).train(outside, MODEL).steps(STEPS).run())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("9999");
    assertThat(cached()).isZero();
    assertThat(BarrierFailures.arePaused(spark.sparkContext())).isFalse();
  }

  /** Barrier jobs have the errors of steps, too, and are not to blame for them. */
  @Test
  void errorsOfBatchesAreReported() {
    Batches<long[]> broken =
        Batches.generated(
            SHARDS,
            (step, shard) -> {
              if (step == 30) {
                throw new IllegalStateException("no batch of step 30");
              }
              return MODEL.batch(step, shard);
            });
    assertThatThrownBy(
            () -> EmbeddingTable.create(spark, SPEC).train(broken, MODEL).steps(STEPS).run())
        .hasStackTraceContaining("no batch of step 30");
    assertThat(cached()).isZero();
    assertThat(BarrierFailures.arePaused(spark.sparkContext())).isFalse();
  }

  @Test
  void anInterruptEndsTheJob() throws Exception {
    CountDownLatch begun = new CountDownLatch(1);
    Thread training =
        new Thread(
            () -> {
              Training<long[]> endless = training(SPEC).steps(1_000_000);
              endless.reportTo((step, end) -> begun.countDown()).run();
            });
    AtomicReference<Throwable> failure = new AtomicReference<>();
    training.setUncaughtExceptionHandler((thread, e) -> failure.set(e));
    training.start();
    begun.await();
    training.interrupt();
    training.join();
    assertThat(failure.get()).isInstanceOf(InterruptedException.class);
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    while (context.statusTracker().getActiveJobIds().length > 0) {
      Thread.sleep(10);
    }
    assertThat(cached()).isZero();
  }

  private static int cached() {
    System.gc();
    return spark.sparkContext().getPersistentRDDs().size();
  }
}

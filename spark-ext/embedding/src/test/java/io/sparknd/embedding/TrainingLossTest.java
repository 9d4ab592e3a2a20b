/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.LocalCluster;
import io.sparknd.cluster.TwoHostCluster;
import io.sparknd.embedding.evaluation.MetricGoal;
import io.sparknd.embedding.evaluation.MetricValue;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.Optimizer;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.Tensor;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerExecutorRemoved;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests that lost executors and repeated tasks do not change the bits of the weights. */
@Tag("slow")
class TrainingLossTest {
  private static final EmbeddingSpec SPEC =
      EmbeddingSpec.of(20_000, 16, Optimizer.adam(0.01))
          .withInitializer(Initializer.uniform(-0.5, 0.5, 3))
          .withPartitions(6);
  private static final Pulls MODEL = new Pulls(SPEC.rows(), 2000);
  private static final int SHARDS = 3;
  private static final int STEPS = 24;

  /** Jobs of two steps: executors are killed at reports, after which others have to follow. */
  private static final Map<String, String> SHORT_JOBS =
      Map.of("spark.sparknd.training.jobTime", "0s");

  @TempDir private Path directory;

  @Test
  void executorsKilledInATrainingChangeNoBit() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(SHORT_JOBS)) {
      Iterator<Long> processes = cluster.processes().values().iterator();
      AtomicInteger removed = countRemoved(cluster.session());
      TrainedEmbedding trained =
          training(cluster.session(), 1).reportTo((step, end) -> killAt(step, processes)).run();
      assertThat(removed).hasPositiveValue();
      assertSame(trained, 1);
    }
  }

  /**
   * Lost partitions are read from the checkpoint, not recomputed from the first step, without and
   * with versions of validations.
   */
  @Test
  void lostTableIsRestoredFromItsCheckpoint() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(SHORT_JOBS)) {
      cluster.session().sparkContext().setCheckpointDir(directory.resolve("cuts").toString());
      Iterator<Long> processes = cluster.processes().values().iterator();
      AtomicInteger removed = countRemoved(cluster.session());
      TrainedEmbedding trained =
          training(cluster.session(), 2)
              .checkpointEvery(3)
              .reportTo((step, end) -> killAt(step, processes))
              .run();
      assertThat(removed).hasPositiveValue();
      assertSame(trained, 2);
      assertSameWithValidations(cluster, cluster.processes().values().iterator());
    }
  }

  /**
   * Lost partitions are read from copies. Each cut of the lineage leaves a copy on both executors,
   * so one may be lost.
   */
  @Test
  void lostTableIsRestoredFromItsCopies() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(SHORT_JOBS)) {
      Iterator<Long> first = cluster.processes().values().stream().limit(1).iterator();
      AtomicInteger removed = countRemoved(cluster.session());
      TrainedEmbedding trained =
          training(cluster.session(), 1)
              .checkpointEvery(3)
              .reportTo((step, end) -> killAt(step, first))
              .run();
      assertThat(removed).hasPositiveValue();
      assertSame(trained, 1);
    }
  }

  /** Versions of validations are copies on two executors, so one may be lost. */
  @Test
  void executorKilledBetweenValidationsChangesNoBit() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(SHORT_JOBS)) {
      assertSameWithValidations(cluster, cluster.processes().values().stream().limit(1).iterator());
    }
  }

  /** The last and the best version are compared. */
  private void assertSameWithValidations(LocalCluster cluster, Iterator<Long> processes) {
    AtomicInteger removed = countRemoved(cluster.session());
    TrainingValidation toSix =
        table ->
            List.of(new MetricValue("steps", MetricGoal.MINIMIZE, Math.abs(table.steps() - 6)));
    TrainedEmbedding trained =
        training(cluster.session(), 1)
            .checkpointEvery(4)
            .validate(3, toSix)
            .keepBest()
            .saveCheckpoints(TrainingCheckpoints.of(directory.resolve("run").toString(), 8))
            .reportTo((step, end) -> killAt(step, processes))
            .run();
    assertThat(removed).hasPositiveValue();
    assertSame(trained, 1);
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, 6, 1);
    BestVersion best = trained.best().orElseThrow();
    assertThat(best.table().steps()).isEqualTo(6);
    TensorAssert.assertSameBits(best.table().weights().collect(), naive.weights());
  }

  @Test
  void tasksThatRunTwiceChangeNoBit() throws Exception {
    String slow = directory.resolve("slow").toString();
    Map<String, String> settings = Map.of("spark.sparknd.training.exchange", "shuffle");
    try (TwoHostCluster cluster = TwoHostCluster.start(settings)) {
      TrainedEmbedding trained =
          EmbeddingTable.create(cluster.session(), SPEC)
              .train(Batches.generated(SHARDS, (step, shard) -> slowOnce(step, shard, slow)), MODEL)
              .steps(STEPS)
              .run();
      assertThat(cluster.speculated()).isPositive();
      assertSame(trained, 1);
    }
  }

  private static long[] slowOnce(long step, int shard, String file) {
    if (step == 2 && shard == 0) {
      TwoHostCluster.sleepOnce(file);
    }
    return MODEL.batch(step, shard);
  }

  @Test
  void anEncryptedClusterChangesNoBit() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(LocalCluster.SECURE)) {
      assertSame(training(cluster.session(), 2).checkpointEvery(3).run(), 2);
    }
  }

  /** Chunks, and the shuffle files that they are computed from, are lost. */
  @Test
  void executorsKilledWithRowsOfAFeedChangeNoBit() throws Exception {
    try (LocalCluster cluster = LocalCluster.start(SHORT_JOBS)) {
      SparkSession spark = cluster.session();
      Dataset<Row> pairs =
          spark
              .range(0, 40_000, 1, 8)
              .selectExpr("id * 7919 % 20000 AS one", "id * 31 % 20000 AS other")
              .repartition(5);
      Tensor whole;
      try (TrainingFeed feed = feed(pairs.coalesce(2))) {
        whole = byRows(spark, feed).run().table().weights().collect();
      }
      Iterator<Long> processes = cluster.processes().values().iterator();
      AtomicInteger removed = countRemoved(spark);
      try (TrainingFeed feed = feed(pairs)) {
        assertThat(feed.stepsPerEpoch()).isBetween(STEPS / 2, STEPS);
        TrainedEmbedding killed =
            byRows(spark, feed).reportTo((step, end) -> killAt(step, processes)).run();
        assertThat(removed).hasPositiveValue();
        TensorAssert.assertSameBits(killed.table().weights().collect(), whole);
      }
    }
  }

  private static TrainingFeed feed(Dataset<Row> pairs) {
    return TrainingFeed.of(pairs, RowPulls.COLUMNS, FeedOptions.of(SHARDS, 700));
  }

  private static Training<FeatureBatch> byRows(SparkSession spark, TrainingFeed feed) {
    return EmbeddingTable.create(spark, SPEC)
        .train(feed.batches(), new RowPulls(MODEL))
        .steps(STEPS);
  }

  private static Training<long[]> training(SparkSession spark, int stepsPerJob) {
    return EmbeddingTable.create(spark, SPEC)
        .train(Batches.generated(SHARDS, MODEL::batch), MODEL)
        .steps(STEPS)
        .stepsPerJob(stepsPerJob);
  }

  /** Kills one executor after step 7 and the other after step 15. */
  private static void killAt(TrainedStep step, Iterator<Long> processes) {
    if (step.step() % 8 == 7 && processes.hasNext()) {
      ProcessHandle.of(processes.next()).ifPresent(ProcessHandle::destroyForcibly);
    }
  }

  private static AtomicInteger countRemoved(SparkSession spark) {
    AtomicInteger removed = new AtomicInteger();
    spark
        .sparkContext()
        .addSparkListener(
            new SparkListener() {
              @Override
              public void onExecutorRemoved(SparkListenerExecutorRemoved executor) {
                removed.incrementAndGet();
              }
            });
    return removed;
  }

  private static void assertSame(TrainedEmbedding trained, int stepsPerJob) {
    NaiveTrainer naive = new NaiveTrainer(SPEC);
    naive.train(MODEL, SHARDS, STEPS, stepsPerJob);
    TensorAssert.assertSameBits(trained.table().weights().collect(), naive.weights());
    assertThat(trained.steps()).extracting(step -> step.loss().sum()).isEqualTo(naive.losses);
  }
}

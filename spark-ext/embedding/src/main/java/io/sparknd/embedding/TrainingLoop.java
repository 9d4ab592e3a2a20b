/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.BatchShuffle;
import io.sparknd.cluster.exchange.BatchShuffle.Order;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.spark.MapStage;
import io.sparknd.cluster.spark.PartitionTasks;
import io.sparknd.cluster.spark.TaskErrors;
import io.sparknd.embedding.rows.EmbeddingPartition;
import io.sparknd.tensor.Storage;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import scala.Tuple2;

/**
 * The jobs of a training. Each has two stages: the owners of rows finish the version that the
 * gradients of the job before make, and answer with it what was asked together with these; then the
 * shards compute. So a step is one shuffle there and one back.
 *
 * <p>Why versions, and no store that tasks write to: Spark may run a task twice. What a task makes
 * depends on nothing but the version before and the messages, which come sorted, so a second run
 * makes the same bits, and nobody sees half a version.
 */
final class TrainingLoop<B> {
  private final EmbeddingTable table;
  private final StepFunction<B> function;
  private final JavaRDD<Batches.Shard<B>> shards;
  private final JavaSparkContext context;
  private final RetainedVersions kept;

  /** The version that the next job finishes; not computed yet. */
  private JavaRDD<EmbeddingPartition> version;

  TrainingLoop(
      EmbeddingTable table, Batches<B> batches, StepFunction<B> function, int versionsPerCut) {
    this.table = table;
    this.function = function;
    this.context = JavaSparkContext.fromSparkContext(table.spark().sparkContext());
    this.shards = batches.shards(context);
    this.kept = new RetainedVersions(versionsPerCut, table.versions());
  }

  /** Gets ready for the first job; only that one is asked for what it needs. */
  void begin(StepRange first) {
    JavaRDD<Tuple2<BatchKey, UpdateBatch>> nothing =
        context.parallelize(List.of(), shards.getNumPartitions());
    version = table.rdd();
    follow(sent(nothing, new StepRange(first.first(), 0), first, null), first.first());
  }

  /**
   * Runs a job.
   *
   * @param next mini-batches of the job after it; none after the last
   * @return the losses of {@code now}, in their order
   */
  List<Loss> run(StepRange now, StepRange next) {
    try {
      kept.keep(version);
      LossAccumulator losses = LossAccumulator.registered(context.sc());
      JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent = sent(answers(), now, next, losses);
      MapStage.run(sent);
      kept.computed(version);
      follow(sent, now.first());
      return List.copyOf(losses.value().values());
    } catch (Exception e) {
      kept.abandon(version);
      throw TaskErrors.unwrapped(e);
    }
  }

  /** The last version, computed and kept. */
  JavaRDD<EmbeddingPartition> end() {
    try {
      kept.keep(version);
      PartitionTasks.run(version);
      kept.computed(version);
      return version;
    } catch (Exception e) {
      kept.abandon(version);
      throw TaskErrors.unwrapped(e);
    }
  }

  /** Versions in the lineage of the last one. */
  int versions() {
    return kept.made();
  }

  private JavaRDD<Tuple2<BatchKey, UpdateBatch>> answers() {
    return BatchShuffle.shuffle(
        PartitionTasks.of(version, new RowResponses(table.layout(), table.ids())),
        shards.getNumPartitions(),
        table.layout().storage(),
        Order.ANY);
  }

  private JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent(
      JavaRDD<Tuple2<BatchKey, UpdateBatch>> answers,
      StepRange now,
      StepRange next,
      LossAccumulator losses) {
    int parts = shards.getNumPartitions();
    ShardTask<B> task =
        new ShardTask<>(
            table.layout(),
            table.ids(),
            table.spec().badGradients(),
            parts,
            function,
            now,
            next,
            losses);
    return BatchShuffle.shuffle(
        PartitionTasks.of(shards, answers, task), table.partitions(), Storage.FLOAT, Order.AS_SENT);
  }

  private void follow(JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent, long first) {
    OwnerTask task =
        new OwnerTask(
            table.layout(),
            table.ids(),
            table.optimizer(),
            table.spec().badGradients(),
            first,
            shards.getNumPartitions());
    boolean isOurs = version != table.rdd();
    version =
        isOurs && context.sc().isLocal()
            ? PartitionTasks.taking(version, sent, task)
            : PartitionTasks.of(version, sent, task);
  }
}

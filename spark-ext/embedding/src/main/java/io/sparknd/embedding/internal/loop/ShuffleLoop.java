/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle.Order;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.MapStage;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.rows.PreviousVersion;
import io.sparknd.embedding.internal.step.LossAccumulator;
import io.sparknd.embedding.internal.step.LossSum;
import io.sparknd.embedding.internal.step.MessageKeys;
import io.sparknd.embedding.internal.step.OwnerTask;
import io.sparknd.embedding.internal.step.RowResponses;
import io.sparknd.embedding.internal.step.ShardTask;
import io.sparknd.embedding.internal.step.StepRange;
import io.sparknd.embedding.internal.step.StepRanges;
import io.sparknd.tensor.Storage;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Trains one or several tables by jobs of two stages. First the owners of rows apply the gradients
 * of the previous job, which completes a version, and respond with it to the requests that came
 * with them. Then the shards compute. A step therefore takes one shuffle in each direction.
 *
 * <p>Tasks produce versions instead of writing to a store because Spark may run a task twice. The
 * output of a task depends only on the previous version and the messages, and not on their arrival
 * order. A second run therefore produces the same bits, and a partial version is never visible.
 */
final class ShuffleLoop<B> implements TrainingLoop {
  private final LoopInputs<B> inputs;
  private final JavaSparkContext context;
  private final MessageKeys keys;
  private final RetainedVersions retained;
  private final LocalMessages local;

  /** The version that the next job completes; not computed yet. */
  private JavaRDD<EmbeddingPartition> version;

  private boolean isEnded;

  ShuffleLoop(LoopInputs<B> inputs, RetainedVersions retained) {
    this.inputs = inputs;
    this.version = inputs.begin();
    this.context = inputs.context();
    this.keys = inputs.keys();
    this.retained = retained;
    this.local = LocalMessages.of(context.sc(), retained);
  }

  @Override
  public void train(long step, StepRanges jobs, Progress progress) {
    StepRange job = jobs.at(step);
    begin(job);
    while (job.count() > 0) {
      StepRange next = jobs.at(job.end());
      progress.completed(job, run(job, next), System.nanoTime());
      job = next;
    }
  }

  /**
   * Returns the version after {@code jobs}, which nothing has computed: for what was computed in
   * another way, and is lost.
   */
  JavaRDD<EmbeddingPartition> lineage(long step, StepRanges jobs) {
    LossAccumulator unused = LossAccumulator.registered(context.sc());
    StepRange job = jobs.at(step);
    begin(job);
    while (job.count() > 0) {
      StepRange next = jobs.at(job.end());
      defineNextVersion(shardMessages(responses(), job, next, unused), job.first());
      job = next;
    }
    return version;
  }

  /** Prepares the first job: requests only the rows that it needs. */
  void begin(StepRange first) {
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> nothing =
        context.parallelize(List.of(), inputs.shards().getNumPartitions());
    defineNextVersion(
        shardMessages(nothing, new StepRange(first.first(), 0), first, null), first.first());
  }

  /**
   * Runs a job.
   *
   * @param next mini-batches of the following job; empty after the last
   * @return the losses of {@code now}, in step order
   */
  List<LossSum> run(StepRange now, StepRange next) {
    try {
      retained.retain(version);
      LossAccumulator losses = LossAccumulator.registered(context.sc());
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> messages =
          shardMessages(responses(), now, next, losses);
      long bytes = MapStage.run(messages);
      retained.releaseReplaced(version);
      local.releaseAllBut(messages, bytes);
      defineNextVersion(messages, now.first());
      return List.copyOf(losses.value().values());
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  @Override
  public JavaRDD<EmbeddingPartition> end() {
    try {
      retained.retain(version);
      PartitionTasks.run(version);
      retained.releaseReplaced(version);
      local.close();
      isEnded = true;
      return version;
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  @Override
  public void close() {
    local.close();
    if (!isEnded) {
      retained.abandon(version);
    }
  }

  @Override
  public RetainedVersions retained() {
    return retained;
  }

  private JavaRDD<Tuple2<BatchKey, ShuffleBatch>> responses() {
    Storage storage = RowResponses.storage(inputs.tables());
    return local.shuffle(
        PartitionTasks.of(version, new RowResponses(inputs.tables(), keys, storage)),
        inputs.shards().getNumPartitions(),
        storage,
        Order.ANY);
  }

  private JavaRDD<Tuple2<BatchKey, ShuffleBatch>> shardMessages(
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> responses,
      StepRange now,
      StepRange next,
      @Nullable LossAccumulator losses) {
    ShardTask<B> task =
        new ShardTask<>(inputs.tables(), keys, inputs.function(), now, next, losses);
    return local.shuffle(
        PartitionTasks.of(inputs.shards(), responses, task),
        inputs.partitions(),
        Storage.FLOAT,
        Order.AS_SENT);
  }

  private void defineNextVersion(JavaRDD<Tuple2<BatchKey, ShuffleBatch>> messages, long first) {
    boolean isTaken = version != inputs.begin() && PartitionTasks.runOnce(context.sc());
    OwnerTask task =
        new OwnerTask(
            inputs.tables(), keys, first, isTaken ? PreviousVersion.TAKEN : PreviousVersion.KEPT);
    version =
        isTaken
            ? PartitionTasks.taking(version, messages, task)
            : PartitionTasks.of(version, messages, task);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.RawUnits;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.BatchShuffle;
import io.sparknd.cluster.internal.shuffle.BroadcastBatches;
import io.sparknd.cluster.internal.shuffle.ScatterMetricsAccumulator;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.skew.HeavyHitterSample;
import io.sparknd.cluster.internal.skew.HeavyHitterValues;
import io.sparknd.cluster.internal.skew.LocalSplitUpdates;
import io.sparknd.cluster.internal.skew.PartitionLoad;
import io.sparknd.cluster.internal.skew.SkewPolicy;
import io.sparknd.cluster.internal.skew.SkewSplitPlan;
import io.sparknd.cluster.internal.skew.SplitSliceFold;
import io.sparknd.cluster.internal.skew.SplitSliceFold.CutBatch;
import io.sparknd.cluster.internal.skew.SplitUpdateBinner;
import io.sparknd.cluster.internal.spark.MapOutputs;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.SelectedPartitions;
import io.sparknd.metrics.FoldListener;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.Storage;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.TaskCompletionListener;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import scala.Tuple2;

/**
 * A scatter with hot slices. Their values pass through the driver to tasks that fold them by
 * columns, and from there to their owners, which write them to their blocks.
 *
 * @param how a scatter without a policy that must detect duplicates in the fold
 */
record SkewedScatter(
    TensorBlocks tensor,
    Scatter how,
    Pieces pieces,
    SkewSplitPlan plan,
    ScatterMetricsAccumulator accumulator) {

  private static final Logger LOG = LoggerFactory.getLogger(SkewedScatter.class);

  /** Set by the first scatter of this JVM that does not look for hot slices. */
  private static final AtomicBoolean WARNED = new AtomicBoolean();

  /**
   * Whether a scatter may have hot slices for which a split pays.
   *
   * @param bytes the maximum bytes of all updates
   */
  static boolean isPossible(TensorBlocks tensor, Scatter how, Pieces pieces, long bytes) {
    boolean foldable = how.duplicates() != Duplicates.ERROR && pieces.units() > 0;
    boolean mayPay = foldable && SkewPolicy.of(tensor.spark()).mayPay(pieces.partitions(), bytes);
    boolean areSampled = pieces.partitions() <= HeavyHitterSample.MAX_PARTITIONS;
    if (mayPay && !areSampled && !WARNED.getAndSet(true)) {
      LOG.atWarn()
          .addKeyValue("tensor", tensor)
          .log(
              "Hot slices are not looked for, because the tensor has {} partitions: if updates are"
                  + " skewed, give it at most {} by Partitioning.of",
              pieces.partitions(),
              HeavyHitterSample.MAX_PARTITIONS);
    }
    return mayPay && areSampled;
  }

  /**
   * Plans the split of a scatter whose updates are distributed as in {@code accumulator}; empty if
   * no slices are hot.
   */
  static Optional<SkewedScatter> of(
      TensorBlocks tensor, Scatter how, Pieces pieces, ScatterMetricsAccumulator accumulator) {
    if (accumulator.samples().isEmpty()) {
      return Optional.empty();
    }
    PartitionLoad load = PartitionLoad.of(pieces.partitions(), accumulator.samples());
    SkewPolicy policy = SkewPolicy.of(tensor.spark());
    Optional<SkewSplitPlan> splits = SkewSplitPlan.of(load, policy, tensor.dtype(), pieces.units());
    splits.ifPresent(
        split -> accumulator.recordSplit(split.pieces(), load.most() / pieces.perSlice()));
    return splits.map(split -> new SkewedScatter(tensor, how, pieces, split, accumulator));
  }

  /**
   * Returns the new version, from updates that were shuffled to their owners.
   *
   * @param sent the shuffled batches
   */
  JavaRDD<TensorPartition> shuffled(
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> sent, BatchShuffle.Order order, PartitionFold fold) {
    int partitions = pieces.partitions();
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> resent = resent(sent, order);
    SkewSplitPlan split = plan;
    JavaRDD<CutBatch> hot =
        SelectedPartitions.range(resent, partitions, partitions + plan.tasks())
            .map(batch -> CutBatch.of(batch._2(), split));
    JavaRDD<Tuple2<BatchKey, ShuffleBatch>> rest =
        SelectedPartitions.replacing(sent, resent, plan.owners());
    return tensor.rdd().zipPartitions(rest, fold.withHeavyHitters(folded(hot, fold.listener())));
  }

  private JavaRDD<Tuple2<BatchKey, ShuffleBatch>> resent(
      JavaRDD<Tuple2<BatchKey, ShuffleBatch>> sent, BatchShuffle.Order order) {
    Storage storage = tensor.dtype().storage();
    int partitions = pieces.partitions();
    SkewSplitPlan split = plan;
    ScatterMetricsAccumulator counts = accumulator;
    return BatchShuffle.byReference(
        MapOutputs.of(sent, plan.owners())
            .mapPartitionsWithIndex(
                (source, batches) ->
                    counted(
                        source,
                        new SplitUpdateBinner(source, batches, split, storage, partitions),
                        counts),
                false),
        partitions + plan.tasks(),
        storage,
        order);
  }

  private static SplitUpdateBinner counted(
      int source, SplitUpdateBinner binner, ScatterMetricsAccumulator accumulator) {
    TaskCompletionListener atEnd =
        context -> accumulator.add(new ScatterMetricsAccumulator.Resent(source, binner.bytes()));
    TaskContext.get().addTaskCompletionListener(atEnd);
    return binner;
  }

  /** Returns the new version, from updates that the driver has distributed to their owners. */
  JavaRDD<TensorPartition> local(BroadcastBatches updates, PartitionFold fold) {
    SkewSplitPlan split = plan;
    JavaRDD<CutBatch> hot =
        JavaSparkContext.fromSparkContext(tensor.spark().sparkContext())
            .parallelize(IntStream.range(0, plan.tasks()).boxed().toList(), plan.tasks())
            .flatMap(task -> new LocalSplitUpdates(updates, split).ofTask(task));
    PartitionFold rest = fold.withHeavyHitters(folded(hot, fold.listener()));
    return tensor
        .rdd()
        .mapPartitionsWithIndex(
            (owner, parents) ->
                rest.call(parents, new LocalSplitUpdates(updates, split).ofOwner(owner)),
            false);
  }

  /** Runs the tasks that fold hot pieces. */
  private HeavyHitterValues folded(JavaRDD<CutBatch> batches, FoldListener listener) {
    HeavyHitterValues before = HeavyHitterValues.of(tensor, pieces, plan);
    SplitSliceFold fold =
        new SplitSliceFold(
            tensor.dtype(), how, tensor.kernel(), before, pieces, accumulator, listener);
    List<List<RawUnits>> after =
        PartitionTasks.collected(
            batches.mapPartitionsWithIndex(
                (task, those) -> List.of(fold.fold(task, those)).iterator(), false));
    return before.with(tensor, after);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.fold;

import io.sparknd.cluster.FoldListener;
import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.Exchange;
import io.sparknd.cluster.exchange.LocalUpdates;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.fold.HotFold.CutBatch;
import io.sparknd.cluster.layout.BlockLayout;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.cluster.layout.TensorBlocks;
import io.sparknd.cluster.layout.TensorPartition;
import io.sparknd.cluster.raw.RawUnits;
import io.sparknd.cluster.spark.MapOutputs;
import io.sparknd.cluster.spark.PickedPartitions;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.Storage;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.util.TaskCompletionListener;
import scala.Tuple2;

/**
 * A scatter some of whose slices are hot: their values go through the driver to tasks that fold
 * them, by columns, and from there to their owners, who put them in their places.
 *
 * @param how without a policy for duplicates that the fold would have to see
 */
record HotScatter(TensorBlocks tensor, Scatter how, Pieces pieces, HotCuts cuts, Tallies tallies) {

  /** Tasks beyond the partitions where everything is to be cut, so that one partition is, too. */
  private static final int MORE_TASKS = 2;

  /**
   * Whether a scatter may have hot slices that are better folded apart.
   *
   * @param bytes of all updates at most
   */
  static boolean canBe(TensorBlocks tensor, Scatter how, Pieces pieces, long bytes) {
    boolean foldable = how.duplicates() != Duplicates.ERROR && pieces.units() > 0;
    return foldable
        && pieces.partitions() <= HotSample.MOST_PARTITIONS
        && SkewPolicy.of(tensor.spark()).couldBe(pieces.partitions(), bytes);
  }

  /** The way to do a scatter whose updates are as {@code tallies} say; empty if none are hot. */
  static Optional<HotScatter> of(TensorBlocks tensor, Scatter how, Pieces pieces, Tallies tallies) {
    if (tallies.seen().isEmpty()) {
      return Optional.empty();
    }
    Heat heat = Heat.of(pieces.partitions(), tallies.seen());
    SkewPolicy policy = SkewPolicy.of(tensor.spark());
    long unitBytes = BlockLayout.unitBytes(tensor.dtype().storage());
    List<HotPiece> hot = heat.hot(policy, pieces.units() * unitBytes);
    if (hot.isEmpty()) {
      return Optional.empty();
    }
    tallies.relieved(hot.size(), heat.most() / pieces.perSlice());
    int tasks = policy.isAlways() ? pieces.partitions() + MORE_TASKS : heat.tasks(hot);
    HotCuts cuts = HotCuts.of(hot, tensor.dtype(), pieces.units(), tasks);
    return Optional.of(new HotScatter(tensor, how, pieces, cuts, tallies));
  }

  /**
   * The new version, from updates that were sent to their owners.
   *
   * @param sent what was shuffled
   */
  JavaRDD<TensorPartition> shuffled(
      JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent, Exchange.Order order, PartitionFold fold) {
    int partitions = pieces.partitions();
    JavaRDD<Tuple2<BatchKey, UpdateBatch>> resent = resent(sent, order);
    HotCuts dealt = cuts;
    JavaRDD<CutBatch> hot =
        PickedPartitions.range(resent, partitions, partitions + cuts.tasks())
            .map(batch -> CutBatch.of(batch._2(), dealt));
    JavaRDD<Tuple2<BatchKey, UpdateBatch>> rest =
        PickedPartitions.replacing(sent, resent, cuts.owners());
    return tensor.rdd().zipPartitions(rest, fold.with(folded(hot, fold.listener())));
  }

  private JavaRDD<Tuple2<BatchKey, UpdateBatch>> resent(
      JavaRDD<Tuple2<BatchKey, UpdateBatch>> sent, Exchange.Order order) {
    Storage storage = tensor.dtype().storage();
    int partitions = pieces.partitions();
    HotCuts dealt = cuts;
    Tallies counts = tallies;
    return Exchange.shuffle(
        MapOutputs.of(sent, cuts.owners())
            .mapPartitionsWithIndex(
                (source, batches) ->
                    counted(
                        source, new CutBinner(source, batches, dealt, storage, partitions), counts),
                false),
        partitions + cuts.tasks(),
        storage,
        order);
  }

  private static CutBinner counted(int source, CutBinner binner, Tallies tallies) {
    TaskCompletionListener atEnd =
        context -> tallies.add(new Tallies.Resent(source, binner.bytes()));
    TaskContext.get().addTaskCompletionListener(atEnd);
    return binner;
  }

  /** The new version, from updates that the driver has dealt out to their owners. */
  JavaRDD<TensorPartition> local(LocalUpdates updates, PartitionFold fold) {
    HotCuts dealt = cuts;
    JavaRDD<CutBatch> hot =
        JavaSparkContext.fromSparkContext(tensor.spark().sparkContext())
            .parallelize(IntStream.range(0, cuts.tasks()).boxed().toList(), cuts.tasks())
            .flatMap(task -> new LocalCuts(updates, dealt).ofTask(task));
    PartitionFold rest = fold.with(folded(hot, fold.listener()));
    return tensor
        .rdd()
        .mapPartitionsWithIndex(
            (owner, parents) -> rest.call(parents, new LocalCuts(updates, dealt).ofOwner(owner)),
            false);
  }

  /** Runs the tasks that fold hot pieces. */
  private HotPieces folded(JavaRDD<CutBatch> batches, FoldListener listener) {
    HotPieces before = HotPieces.of(tensor, pieces, cuts);
    HotFold fold =
        new HotFold(tensor.dtype(), how, tensor.kernel(), before, pieces, tallies, listener);
    List<List<RawUnits>> after =
        batches
            .mapPartitionsWithIndex(
                (task, those) -> List.of(fold.fold(task, those)).iterator(), false)
            .collect();
    return before.with(tensor, after);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.fold;

import io.sparknd.cluster.FoldListener;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.cluster.raw.RawUnits;
import io.sparknd.kernel.KernelProvider;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.metrics.TaskMetrics;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** The fold of the cuts of hot pieces, each begun at what the tensor has there. */
final class SplitSliceFold implements Serializable {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final Scatter how;
  private final String kernel;
  private final HeavyHitterValues before;
  private final Pieces pieces;
  private final ScatterMetricsAccumulator tallies;
  private final FoldListener listener;

  /**
   * @param kernel provider's name
   * @param before the hot pieces as they are in the tensor
   * @param listener told of each task
   */
  SplitSliceFold(
      DType dtype,
      Scatter how,
      String kernel,
      HeavyHitterValues before,
      Pieces pieces,
      ScatterMetricsAccumulator tallies,
      FoldListener listener) {
    this.dtype = dtype;
    this.how = how;
    this.kernel = kernel;
    this.before = before;
    this.pieces = pieces;
    this.tallies = tallies;
    this.listener = listener;
  }

  /**
   * Updates of cuts of one kind.
   *
   * @param batch whose offsets are slots
   */
  record CutBatch(int kind, UpdateBatch batch) {
    /** Cuts that have no other rows beside them. */
    static CutBatch of(UpdateBatch batch, SkewSplitPlan cuts) {
      return new CutBatch(cuts.kindOfWidth(batch.payloadUnits() / batch.count()), batch);
    }
  }

  /**
   * Folds all batches for one task, in order.
   *
   * @return the cuts of each kind as they are then, by slot
   */
  List<RawUnits> fold(int task, Iterator<CutBatch> batches) {
    long start = System.nanoTime();
    SkewSplitPlan cuts = before.cuts();
    KernelProvider kernels = KernelProviders.named(kernel);
    List<RawUnits> arrays = new ArrayList<>();
    List<SliceFold> folds = new ArrayList<>();
    for (int kind = 0; kind < cuts.kinds(); kind++) {
      Object array = before.cuts(task, kind, dtype.storage());
      arrays.add(new RawUnits(array));
      folds.add(new SliceFold(kernels, dtype, how, blocks(array, cuts.width(kind))));
    }
    long units = 0;
    while (batches.hasNext()) {
      CutBatch next = batches.next();
      UpdateBatch batch = next.batch();
      folds
          .get(next.kind())
          .apply(batch.offsets(), batch.rows(), 0, 0, batch.count(), batch.payload());
      units += (long) batch.count() * cuts.width(next.kind());
    }
    folds.forEach(SliceFold::finish);
    long updates = units / cuts.units() / pieces.perSlice();
    long nanos = System.nanoTime() - start;
    listener.folded(updates, 0, 0, nanos); // their owner counts the slices
    int place = pieces.partitions() + task;
    tallies.add(new ScatterMetricsAccumulator.Folded(place, updates, 0, nanos, kernels.name()));
    TaskMetrics.folded(kernels.name(), updates, nanos);
    return arrays;
  }

  private SliceBlocks blocks(Object array, int width) {
    Object[] one = dtype.storage().allocateBlocks(1);
    one[0] = array;
    int slots = Math.max(1, dtype.storage().length(array) / width);
    return SliceBlocks.owned(dtype.storage(), one, slots, width);
  }
}

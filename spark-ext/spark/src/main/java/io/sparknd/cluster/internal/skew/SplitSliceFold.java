/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.RawUnits;
import io.sparknd.cluster.internal.shuffle.ScatterMetricsAccumulator;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.metrics.FoldListener;
import io.sparknd.metrics.TaskMetrics;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;

/** Folds the cuts of hot pieces, starting from their values in the tensor. */
public final class SplitSliceFold implements Serializable {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final Scatter how;
  private final String kernel;
  private final HeavyHitterValues before;
  private final Pieces pieces;
  private final ScatterMetricsAccumulator accumulator;
  private final FoldListener listener;

  /**
   * @param kernel the name of the kernel provider
   * @param before the values of the hot pieces in the tensor
   * @param listener notified of each task
   */
  public SplitSliceFold(
      DType dtype,
      Scatter how,
      String kernel,
      HeavyHitterValues before,
      Pieces pieces,
      ScatterMetricsAccumulator accumulator,
      FoldListener listener) {
    this.dtype = dtype;
    this.how = how;
    this.kernel = kernel;
    this.before = before;
    this.pieces = pieces;
    this.accumulator = accumulator;
    this.listener = listener;
  }

  /**
   * Updates of cuts of one kind.
   *
   * @param batch a batch whose local numbers are slots
   */
  public record CutBatch(int kind, ShuffleBatch batch) {
    /** Wraps a batch whose payload rows are cuts, one for each update. */
    public static CutBatch of(ShuffleBatch batch, SkewSplitPlan plan) {
      return new CutBatch(plan.kindOfWidth(batch.payloadUnits() / batch.count()), batch);
    }
  }

  /**
   * Folds all batches of one task, in order.
   *
   * @return the folded cuts of each kind, by slot
   */
  public List<RawUnits> fold(int task, Iterator<CutBatch> batches) {
    long start = System.nanoTime();
    SkewSplitPlan plan = before.plan();
    KernelProvider kernels = KernelProviders.named(kernel);
    List<RawUnits> arrays = new ArrayList<>();
    List<SliceFold> folds = new ArrayList<>();
    for (int kind = 0; kind < plan.kinds(); kind++) {
      Object array = before.cuts(task, kind, dtype.storage());
      arrays.add(new RawUnits(array));
      folds.add(new SliceFold(kernels, dtype, how, blocks(array, plan.width(kind))));
    }
    long units = 0;
    while (batches.hasNext()) {
      CutBatch next = batches.next();
      ShuffleBatch batch = next.batch();
      folds
          .get(next.kind())
          .apply(batch.locals(), batch.rows(), 0, 0, batch.count(), batch.payload());
      units += (long) batch.count() * plan.width(next.kind());
    }
    folds.forEach(SliceFold::finish);
    long updates = units / plan.units() / pieces.perSlice();
    long nanos = System.nanoTime() - start;
    listener.folded(updates, plan.firstCuts(task) / pieces.perSlice(), 0, nanos);
    int place = pieces.partitions() + task;
    accumulator.add(new ScatterMetricsAccumulator.Folded(place, updates, 0, nanos, kernels.name()));
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

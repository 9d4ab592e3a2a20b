/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.Tensor;

/**
 * Runs a scatter into one tensor range by range, for each batch of updates. Each thread first sorts
 * a part of the batch, then folds the updates of its share of the tensor from all parts. The
 * updates of a slice keep their order.
 */
final class SortedFold {
  private final int threads;
  private final int batch;
  private final long slots;
  private final SliceRangeBins ranges;
  private final Object updates;
  private final SlotSorter[] sorts;
  private final SliceFold[] folds;

  SortedFold(
      KernelProvider kernels,
      UpdateSortPolicy sorting,
      Tensor target,
      ScatterCall call,
      IndexPlan plan,
      OffsetSource offsets,
      SliceBlocks blocks,
      int threads) {
    this.threads = threads;
    this.batch = (int) Math.min(sorting.batch(), -Math.floorDiv(-plan.slots(), threads));
    this.slots = plan.slots();
    this.ranges =
        new SliceRangeBins(
            plan.slices(), sliceBytes(target, blocks), sorting.rangeBytes(), threads);
    this.updates = call.updates().array();
    this.sorts = new SlotSorter[threads];
    this.folds = new SliceFold[threads];
    for (int thread = 0; thread < threads; thread++) {
      sorts[thread] = new SlotSorter(offsets, ranges, batch);
      folds[thread] = new SliceFold(kernels, target.dtype(), call.how(), blocks);
    }
  }

  static boolean shouldSort(
      UpdateSortPolicy sorting, Tensor target, IndexPlan plan, SliceBlocks blocks) {
    return blocks.units() > 0
        && sorting.shouldSort(plan.slots(), plan.slices(), sliceBytes(target, blocks));
  }

  /** Returns the bytes of a slice; a string reference counts as one byte. */
  private static long sliceBytes(Tensor target, SliceBlocks blocks) {
    return (long) blocks.units() * Math.max(1, target.dtype().storage().bytes());
  }

  void run() {
    long step = (long) threads * batch;
    for (long slot = 0; slot < slots; slot += step) {
      long first = slot;
      long count = Math.min(step, slots - slot);
      long part = -Math.floorDiv(-count, threads);
      WorkerThreads.run(threads, thread -> sort(thread, first, count, part));
      WorkerThreads.run(threads, this::fold);
    }
    WorkerThreads.run(threads, thread -> folds[thread].finish());
  }

  private void sort(int thread, long first, long count, long part) {
    long from = Math.min(count, thread * part);
    sorts[thread].sort(first + from, (int) (Math.min(count, from + part) - from));
  }

  private void fold(int thread) {
    SliceFold fold = folds[thread];
    for (int range = 0; range < ranges.count(); range++) {
      int bin = ranges.bin(thread, range);
      for (SlotSorter sort : sorts) {
        fold.apply(sort.sorted(), sort.start(bin), sort.start(bin + 1), updates);
      }
    }
    fold.flush(updates);
  }
}

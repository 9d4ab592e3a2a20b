/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ScatterMetricsAccumulator;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.skew.HeavyHitterValues;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.metrics.FoldListener;
import io.sparknd.metrics.TaskMetrics;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import org.apache.spark.api.java.function.FlatMapFunction2;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Applies the batches of one partition to its blocks: the reduce side of a scatter. */
public final class PartitionFold
    implements FlatMapFunction2<
        Iterator<TensorPartition>, Iterator<Tuple2<BatchKey, ShuffleBatch>>, TensorPartition> {
  private static final long serialVersionUID = 1;

  private final DType dtype;
  private final Scatter how;
  private final Pieces pieces;
  private final String kernel;
  private final @Nullable RowErrors rowErrors;
  private final @Nullable ScatterMetricsAccumulator accumulator;
  private final FoldOptions options;
  private final @Nullable HeavyHitterValues folded;

  /**
   * @param kernel the name of the kernel provider
   * @param rowErrors collects duplicates if {@code how} makes them an error; may be null
   */
  public PartitionFold(
      DType dtype,
      Scatter how,
      Pieces pieces,
      String kernel,
      @Nullable RowErrors rowErrors,
      FoldOptions options) {
    this(dtype, how, pieces, kernel, rowErrors, null, options, null);
  }

  private PartitionFold(
      DType dtype,
      Scatter how,
      Pieces pieces,
      String kernel,
      @Nullable RowErrors rowErrors,
      @Nullable ScatterMetricsAccumulator accumulator,
      FoldOptions options,
      @Nullable HeavyHitterValues folded) {
    this.dtype = dtype;
    this.how = how;
    this.pieces = pieces;
    this.kernel = kernel;
    this.rowErrors = rowErrors;
    this.accumulator = accumulator;
    this.options = options;
    this.folded = folded;
  }

  /** Returns the same fold, with each task's metrics added to {@code to}. */
  PartitionFold withMetrics(ScatterMetricsAccumulator to) {
    return new PartitionFold(dtype, how, pieces, kernel, rowErrors, to, options, folded);
  }

  /**
   * Returns the same fold, which first writes the folded values of {@code hot} to the blocks. Its
   * input must have no updates of these pieces.
   */
  PartitionFold withHeavyHitters(HeavyHitterValues hot) {
    return new PartitionFold(dtype, how, pieces, kernel, rowErrors, accumulator, options, hot);
  }

  /** Returns the listener. */
  FoldListener listener() {
    return options.listener();
  }

  @Override
  public Iterator<TensorPartition> call(
      Iterator<TensorPartition> parents, Iterator<Tuple2<BatchKey, ShuffleBatch>> batches) {
    TensorPartition parent = TensorPartition.only(parents);
    if (pieces.units() == 0) {
      reportDuplicate(parent.index(), repeatedEmpty(batches));
      return Collections.singletonList(parent).iterator();
    }
    long start = System.nanoTime();
    SliceBlocks blocks = blocks(parent);
    KernelProvider kernels = KernelProviders.named(kernel);
    if (folded != null) {
      folded.put(parent.index(), kernels, dtype, blocks); // the fold must be the last to write
    }
    SliceFold fold = SliceFold.ofVersion(kernels, dtype, how, blocks, () -> before(parent, blocks));
    long updates = 0;
    boolean isObserved = options.listener() != FoldListener.NONE;
    UpdatedSlices updated = new UpdatedSlices();
    while (batches.hasNext()) {
      ShuffleBatch batch = batches.next()._2();
      fold.apply(batch.locals(), batch.rows(), 0, 0, batch.count(), batch.payload());
      updates += batch.count();
      if (isObserved) {
        updated.add(batch);
      }
    }
    fold.finish();
    long slices = updated.count();
    reportDuplicate(parent.index(), fold.duplicate());
    long nanos = System.nanoTime() - start;
    long perSlice = pieces.perSlice();
    options.listener().folded(updates / perSlice, slices / perSlice, blocks.copied(), nanos);
    if (accumulator != null) {
      accumulator.add(
          new ScatterMetricsAccumulator.Folded(
              parent.index(), updates / perSlice, blocks.copied(), nanos, kernels.name()));
      TaskMetrics.folded(kernels.name(), updates / perSlice, nanos);
    }
    return Collections.singletonList(parent.next(blocks)).iterator();
  }

  private SliceBlocks blocks(TensorPartition parent) {
    boolean inPlace = options.blocks() == FoldOptions.Blocks.IN_PLACE;
    BitSet shared = new BitSet();
    for (int block = 0; block < parent.blocks().length; block++) {
      shared.set(block, !inPlace || parent.isFill(block));
    }
    return SliceBlocks.copyOnWrite(
        dtype.storage(), parent.blocks(), (int) pieces.perBlock(), pieces.units(), shared);
  }

  /**
   * Returns the blocks that are copied before they are written, by number; null for blocks that are
   * not copied and for the fill.
   */
  private static Object[] before(TensorPartition parent, SliceBlocks blocks) {
    Object[] before = parent.blocks().clone();
    for (int block = 0; block < before.length; block++) {
      if (!blocks.isShared(block) || parent.isFill(block)) {
        before[block] = null;
      }
    }
    return before;
  }

  /** Returns the lowest zero-size slice that is named twice, which no block would show; else -1. */
  private long repeatedEmpty(Iterator<Tuple2<BatchKey, ShuffleBatch>> batches) {
    Set<Long> seen = new HashSet<>();
    long lowest = -1;
    while (how.duplicates() == Duplicates.ERROR && batches.hasNext()) {
      ShuffleBatch batch = batches.next()._2();
      for (int i = 0; i < batch.count(); i++) {
        long local = batch.locals()[i];
        boolean repeats = !seen.add(local);
        lowest = repeats && (lowest < 0 || local < lowest) ? local : lowest;
      }
    }
    return lowest;
  }

  private void reportDuplicate(int partition, long local) {
    if (local >= 0 && rowErrors != null) {
      rowErrors.duplicate(pieces.global(partition, local) / pieces.perSlice());
    }
  }
}

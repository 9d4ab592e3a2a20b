/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.cpu.MeanDivider;
import io.sparknd.kernel.spi.BlockWriteListener;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Duplicates;
import io.sparknd.op.HalfRounding;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Folds updates into blocks, batch by batch, in the order in which they are passed. {@link #finish}
 * must be called after the last batch; until then a mean is still a sum, and the blocks lack what
 * is folded in float32.
 */
public final class SliceFold {
  private final DType dtype;
  private final Scatter how;
  private final SliceBlocks blocks;
  private final ScatterKernel reduce;
  private final ScatterKernel replace;
  private final SliceAddresses chunk = new SliceAddresses();
  private final SliceAddresses firsts = new SliceAddresses();
  private final @Nullable SliceCounts counts;

  /** The fold of float16 or bfloat16 that rounds at the end; null if each step has the dtype. */
  private final @Nullable HalfFold halves;

  private final BlockWriteListener listener;

  public SliceFold(KernelProvider kernels, DType dtype, Scatter how, SliceBlocks blocks) {
    this(dtype, how, blocks, reduce(kernels, dtype, how), BlockWriteListener.NONE);
  }

  private SliceFold(
      DType dtype,
      Scatter how,
      SliceBlocks blocks,
      ScatterKernel reduce,
      BlockWriteListener listener) {
    this.dtype = dtype;
    this.how = how;
    this.blocks = blocks;
    this.reduce = reduce;
    this.listener = listener;
    // a kernel that does not defer: first updates precede those that reduce may defer
    this.replace = KernelProviders.automatic().scatter(dtype, Reduction.NONE);
    this.counts = needsCounts(dtype, how) ? new SliceCounts(blocks) : null;
    this.halves = roundsOnce(dtype, how) ? new HalfFold(dtype, blocks, reduce) : null;
  }

  private static ScatterKernel reduce(KernelProvider kernels, DType dtype, Scatter how) {
    return kernels.scatter(roundsOnce(dtype, how) ? DType.FLOAT32 : dtype, how.reduction());
  }

  /**
   * Returns the last fold of a new tensor version. After {@link #finish}, {@code blocks} is never
   * written again.
   *
   * @param before for each block number, the array of the published, immutable version that the
   *     written array will be a copy of, or null if it will not be a copy
   */
  public static SliceFold ofVersion(
      KernelProvider kernels,
      DType dtype,
      Scatter how,
      SliceBlocks blocks,
      Supplier<Object[]> before) {
    return needsOtherKernels(dtype, how)
        ? new SliceFold(
            dtype,
            how,
            blocks,
            reduce(kernels, dtype, how),
            kernels.blockWriteListener(dtype.storage(), before))
        : new SliceFold(
            dtype,
            how,
            blocks,
            kernels.scatter(dtype, how.reduction(), before),
            BlockWriteListener.NONE);
  }

  /** Whether the fold writes the blocks without {@link #reduce}. */
  private static boolean needsOtherKernels(DType dtype, Scatter how) {
    return how.reduction() == Reduction.MEAN
        || how.self() == IncludeSelf.EXCLUDED
        || roundsOnce(dtype, how);
  }

  /** Returns whether a fold counts the updates of each slice, with an int for each. */
  public static boolean needsCounts(DType dtype, Scatter how) {
    return needsOtherKernels(dtype, how) || how.duplicates() == Duplicates.ERROR;
  }

  /** Whether the fold is one of float32 whose results are rounded to {@code dtype}. */
  private static boolean roundsOnce(DType dtype, Scatter how) {
    return HalfFloats.isHalf(dtype)
        && switch (how.reduction()) {
          case MEAN -> true;
          case ADD, SUB, MUL, DIV -> how.rounding() == HalfRounding.ONCE;
          case NONE, MIN, MAX, FMIN, FMAX -> false;
        };
  }

  /**
   * Returns the most bytes that a fold takes besides its blocks and the addresses of a chunk.
   *
   * @param slices the slices of all blocks
   * @param units length of a slice in units of the storage
   */
  public static long bytes(DType dtype, Scatter how, long slices, int units) {
    long counts = needsCounts(dtype, how) ? slices * Integer.BYTES : 0;
    return counts + (roundsOnce(dtype, how) ? HalfFold.bytes(slices, units) : 0);
  }

  /**
   * Applies updates {@code [from, to)}, in that order.
   *
   * @param offsets slice offsets in the blocks; a negative one drops its update
   * @param rows the row of {@code updates} that holds each update, or null if update {@code i} is
   *     in row {@code i + shift}
   * @param updates rows of {@code blocks.units()} units
   */
  public void apply(
      long[] offsets, int @Nullable [] rows, int shift, int from, int to, Object updates) {
    if (blocks.units() == 0) {
      return;
    }
    int next = from;
    while (next < to) {
      chunk.count = 0;
      next = blocks.address(offsets, rows, shift, next, to, chunk);
      applyChunk(updates);
    }
  }

  /**
   * Applies the entries {@code [from, to)} of {@code sorted}, in that order, to the only block. An
   * entry has a slice in its upper 32 bits and a row of {@code updates} in its lower ones. The last
   * entries may wait for {@link #flush}.
   */
  void apply(long[] sorted, int from, int to, Object updates) {
    int next = from;
    while (next < to) {
      int some = Math.min(to - next, SliceAddresses.CAPACITY - chunk.count);
      unpack(sorted, next, some);
      next += some;
      if (chunk.count == SliceAddresses.CAPACITY) {
        flush(updates);
      }
    }
  }

  private void unpack(long[] sorted, int from, int some) {
    int units = blocks.units();
    int[] position = chunk.position;
    int[] row = chunk.row;
    int count = chunk.count;
    for (int i = 0; i < some; i++) {
      long entry = sorted[from + i];
      position[count + i] = (int) (entry >>> Integer.SIZE) * units;
      row[count + i] = (int) entry * units;
    }
    chunk.count = count + some;
  }

  /** Applies the waiting entries. */
  void flush(Object updates) {
    applyChunk(updates);
    chunk.count = 0;
  }

  private void applyChunk(Object updates) {
    blocks.copyShared(chunk);
    if (counts != null) {
      firsts.count = 0;
      counts.count(chunk, how.self() == IncludeSelf.EXCLUDED ? firsts : null);
    }
    if (halves != null) {
      halves.replace(firsts, updates);
      halves.reduce(chunk, updates);
      return;
    }
    if (firsts.count > 0) {
      replace.apply(blocks.arrays(), firsts, updates, blocks.units());
    }
    reduce.apply(blocks.arrays(), chunk, updates, blocks.units());
  }

  /** Completes the fold: applies deferred updates, divides means and rounds halves. */
  public void finish() {
    reduce.finish();
    if (halves != null) {
      roundHalves(halves);
    } else if (how.reduction() == Reduction.MEAN) {
      long self = self();
      counts()
          .forEach(
              (block, position, count) ->
                  MeanDivider.divide(
                      dtype, blocks.arrays()[block], position, blocks.units(), count + self));
    }
    if (listener != BlockWriteListener.NONE) {
      notifyListener();
    }
  }

  private void roundHalves(HalfFold fold) {
    boolean isMean = how.reduction() == Reduction.MEAN;
    long self = self();
    counts()
        .forEach(
            (block, position, count) -> fold.round(block, position, isMean ? count + self : 1));
  }

  /** The number of values that the element itself is in a mean. */
  private long self() {
    return how.self() == IncludeSelf.INCLUDED ? 1 : 0;
  }

  private void notifyListener() {
    chunk.count = 0;
    counts()
        .forEach(
            (block, position, count) -> {
              chunk.block[chunk.count] = block;
              chunk.position[chunk.count++] = position;
              if (chunk.count == SliceAddresses.CAPACITY) {
                flushWritten();
              }
            });
    flushWritten();
    listener.finish();
  }

  /** Returns the counts of a fold that needs them. */
  SliceCounts counts() {
    return Objects.requireNonNull(counts);
  }

  private void flushWritten() {
    listener.apply(blocks.arrays(), chunk, blocks.units());
    chunk.count = 0;
  }

  /**
   * Returns the lowest offset with more than one update, or -1 if there is none or the policy is
   * not {@link Duplicates#ERROR}.
   */
  public long duplicate() {
    return how.duplicates() == Duplicates.ERROR ? counts().firstRepeated() : -1;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/**
 * The slices of a tensor or of one of its partitions, in arrays of equal length (the last may be
 * shorter). Slice {@code s} begins at unit {@code s % slicesPerBlock * units} of array {@code s /
 * slicesPerBlock}; no slice crosses arrays.
 *
 * <p>Arrays may be shared with other versions of the tensor. A shared array is copied on its first
 * write.
 */
public final class SliceBlocks {
  private final Storage storage;
  private final Object[] arrays;
  private final int slicesPerBlock;
  private final int units;
  private final int blockShift;
  private final BitSet shared;

  private SliceBlocks(
      Storage storage, Object[] arrays, int slicesPerBlock, int units, BitSet shared) {
    this.storage = storage;
    this.arrays = arrays;
    this.slicesPerBlock = slicesPerBlock;
    this.units = units;
    boolean powerOfTwo = Integer.bitCount(slicesPerBlock) == 1;
    this.blockShift = powerOfTwo ? Integer.numberOfTrailingZeros(slicesPerBlock) : -1;
    this.shared = shared;
  }

  /** Returns blocks that may be written in place. */
  public static SliceBlocks owned(Storage storage, Object[] arrays, int slicesPerBlock, int units) {
    return new SliceBlocks(storage, arrays, slicesPerBlock, units, new BitSet());
  }

  /**
   * Returns copy-on-write blocks: those in {@code shared} are copied before they are written.
   * {@code arrays} itself is not modified.
   */
  public static SliceBlocks copyOnWrite(
      Storage storage, Object[] arrays, int slicesPerBlock, int units, BitSet shared) {
    return new SliceBlocks(storage, arrays.clone(), slicesPerBlock, units, (BitSet) shared.clone());
  }

  /** The current arrays. */
  public Object[] arrays() {
    return arrays;
  }

  /** Slices per array; the last may have fewer. */
  public int slicesPerBlock() {
    return slicesPerBlock;
  }

  /** Length of a slice in units of the storage. */
  public int units() {
    return units;
  }

  /** Whether array {@code block} is shared with another version. */
  public boolean isShared(int block) {
    return shared.get(block);
  }

  /** The number of arrays that are not, or no longer, shared with another version. */
  public int copied() {
    return arrays.length - shared.cardinality();
  }

  /** Copies the shared arrays that {@code chunk} writes to. */
  void copyShared(SliceAddresses chunk) {
    if (shared.isEmpty()) {
      return;
    }
    for (int i = 0; i < chunk.count; i++) {
      if (shared.get(chunk.block[i])) {
        copyShared(chunk.block[i]);
      }
    }
  }

  private void copyShared(int block) {
    arrays[block] = storage.copyOfRange(arrays[block], 0, storage.length(arrays[block]));
    shared.clear(block);
  }

  /**
   * Appends the slices {@code offsets[from .. to)} to {@code chunk} until it is full, skipping
   * negative offsets. Slice {@code i} belongs to row {@code rows[i]} of the updates or the result,
   * or to row {@code i + shift} if {@code rows} is null.
   *
   * @return the first index that was not processed
   */
  int address(
      long[] offsets, int @Nullable [] rows, int shift, int from, int to, SliceAddresses chunk) {
    int end = Math.min(to, from + SliceAddresses.CAPACITY - chunk.count);
    int first = chunk.count;
    if (arrays.length == 1 && appendSingleBlock(offsets, rows, shift, from, end, chunk)) {
      return end;
    }
    if (isNoneNegative(offsets, from, end)) {
      System.arraycopy(offsets, from, chunk.slice, first, end - from);
      appendRows(rows, shift, from, end, chunk);
      chunk.count += end - from;
    } else if (rows == null) {
      appendNonNegative(offsets, shift, from, end, chunk);
    } else {
      appendNonNegative(offsets, rows, from, end, chunk);
    }
    if (arrays.length == 1) {
      placeInOne(chunk, first);
    } else if (blockShift >= 0) {
      placeByShift(chunk, first);
    } else {
      place(chunk, first);
    }
    return end;
  }

  /**
   * Does the work of {@link #address} in one loop, for one array and no negative offset.
   *
   * @return false, with nothing appended, if there is a negative offset
   */
  private boolean appendSingleBlock(
      long[] offsets, int @Nullable [] rows, int shift, int from, int end, SliceAddresses chunk) {
    long any =
        rows == null
            ? appendSingleBlock(offsets, shift, from, end, chunk)
            : appendSingleBlock(offsets, rows, from, end, chunk);
    if (any < 0) {
      return false;
    }
    int first = chunk.count;
    chunk.count += end - from;
    Arrays.fill(chunk.block, first, chunk.count, 0);
    return true;
  }

  private long appendSingleBlock(
      long[] offsets, int shift, int from, int end, SliceAddresses chunk) {
    int[] position = chunk.position;
    int[] row = chunk.row;
    int move = chunk.count - from;
    long any = 0;
    for (int i = from; i < end; i++) {
      any |= offsets[i];
      position[move + i] = (int) offsets[i] * units;
      row[move + i] = (i + shift) * units;
    }
    return any;
  }

  private long appendSingleBlock(
      long[] offsets, int[] rows, int from, int end, SliceAddresses chunk) {
    int[] position = chunk.position;
    int[] row = chunk.row;
    int move = chunk.count - from;
    long any = 0;
    for (int i = from; i < end; i++) {
      any |= offsets[i];
      position[move + i] = (int) offsets[i] * units;
      row[move + i] = rows[i] * units;
    }
    return any;
  }

  private static boolean isNoneNegative(long[] offsets, int from, int end) {
    long any = 0;
    for (int i = from; i < end; i++) {
      any |= offsets[i];
    }
    return any >= 0;
  }

  /** Computes the rows of {@code offsets[from .. end)}, none of which is negative. */
  private void appendRows(
      int @Nullable [] rows, int shift, int from, int end, SliceAddresses chunk) {
    int[] to = chunk.row;
    int first = chunk.count;
    for (int i = 0; i < end - from; i++) {
      to[first + i] = (rows == null ? from + i + shift : rows[from + i]) * units;
    }
  }

  /** Skips negative offsets. */
  private void appendNonNegative(
      long[] offsets, int shift, int from, int end, SliceAddresses chunk) {
    int count = chunk.count;
    for (int i = from; i < end; i++) {
      chunk.slice[count] = offsets[i];
      chunk.row[count] = (i + shift) * units;
      count += offsets[i] >= 0 ? 1 : 0;
    }
    chunk.count = count;
  }

  private void appendNonNegative(
      long[] offsets, int[] rows, int from, int end, SliceAddresses chunk) {
    int count = chunk.count;
    for (int i = from; i < end; i++) {
      chunk.slice[count] = offsets[i];
      chunk.row[count] = rows[i] * units;
      count += offsets[i] >= 0 ? 1 : 0;
    }
    chunk.count = count;
  }

  private void placeInOne(SliceAddresses chunk, int first) {
    Arrays.fill(chunk.block, first, chunk.count, 0);
    for (int i = first; i < chunk.count; i++) {
      chunk.position[i] = (int) chunk.slice[i] * units;
    }
  }

  private void placeByShift(SliceAddresses chunk, int first) {
    int mask = slicesPerBlock - 1;
    for (int i = first; i < chunk.count; i++) {
      chunk.block[i] = (int) (chunk.slice[i] >>> blockShift);
      chunk.position[i] = ((int) chunk.slice[i] & mask) * units;
    }
  }

  private void place(SliceAddresses chunk, int first) {
    for (int i = first; i < chunk.count; i++) {
      long block = chunk.slice[i] / slicesPerBlock;
      chunk.block[i] = (int) block;
      chunk.position[i] = (int) (chunk.slice[i] - block * slicesPerBlock) * units;
    }
  }
}

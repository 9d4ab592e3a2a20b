/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.tensor.Storage;
import java.util.BitSet;

/**
 * The slices of a tensor, or of one partition of it, in arrays of equal length (the last may be
 * shorter). Slice {@code s} begins at unit {@code s % slicesPerBlock * units} of array {@code s /
 * slicesPerBlock}; no slice crosses arrays.
 *
 * <p>Arrays may be shared with other versions of the tensor: a shared one is copied before its
 * first write, and only then.
 */
public final class Blocks {
  private final Storage storage;
  private final Object[] arrays;
  private final int slicesPerBlock;
  private final int units;
  private final BitSet shared;

  private Blocks(Storage storage, Object[] arrays, int slicesPerBlock, int units, BitSet shared) {
    this.storage = storage;
    this.arrays = arrays;
    this.slicesPerBlock = slicesPerBlock;
    this.units = units;
    this.shared = shared;
  }

  /** Blocks that may be written in place. */
  public static Blocks owned(Storage storage, Object[] arrays, int slicesPerBlock, int units) {
    return new Blocks(storage, arrays, slicesPerBlock, units, new BitSet());
  }

  /** Blocks that are copied before they are written; {@code arrays} itself is left as it is. */
  public static Blocks copyOnWrite(
      Storage storage, Object[] arrays, int slicesPerBlock, int units) {
    BitSet shared = new BitSet();
    shared.set(0, arrays.length);
    return new Blocks(storage, arrays.clone(), slicesPerBlock, units, shared);
  }

  /** The arrays as they are now. */
  public Object[] arrays() {
    return arrays;
  }

  /** Slices in every array but perhaps the last. */
  public int slicesPerBlock() {
    return slicesPerBlock;
  }

  /** Length of a slice in units of the storage. */
  public int units() {
    return units;
  }

  /** Whether array {@code block} is still the one of another version. */
  public boolean isShared(int block) {
    return shared.get(block);
  }

  void own(int block) {
    if (shared.get(block)) {
      arrays[block] = storage.copyOfRange(arrays[block], 0, storage.length(arrays[block]));
      shared.clear(block);
    }
  }

  /**
   * Appends to {@code chunk} the slices {@code offsets[from .. to)}, as many as it has room for,
   * leaving out negative offsets. The other side of slice {@code i} is row {@code rows[i]}, or row
   * {@code i + shift} where {@code rows} is null.
   *
   * @return the first index that was not looked at
   */
  int address(long[] offsets, int[] rows, int shift, int from, int to, Addresses chunk) {
    int end = Math.min(to, from + Addresses.CAPACITY - chunk.count);
    int count = chunk.count;
    for (int i = from; i < end; i++) {
      long offset = offsets[i];
      if (offset >= 0) {
        int block = (int) (offset / slicesPerBlock);
        chunk.block[count] = block;
        chunk.position[count] = (int) (offset - (long) block * slicesPerBlock) * units;
        chunk.row[count] = (rows == null ? i + shift : rows[i]) * units;
        count++;
      }
    }
    chunk.count = count;
    return end;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A block of rows, the unit of copy-on-write, or a slab: the blocks of a page in common arrays. Of
 * a slab, each version reads and writes only the blocks for which its page refers to it.
 *
 * @param blocks number of blocks in the arrays: 1, or {@link EmbeddingPartition#PAGE} of a slab;
 *     {@code rows} is that number times the rows of a block, a power of two
 * @param weights {@code [rows, dim]}, row-major
 * @param state one array per optimizer slot, {@code [rows, dim]} or {@code [rows]}: floats, or
 *     shorts with the bits of bfloat16. A {@code float[][]} if all slots are float32
 * @param usage {@code [rows, 2]}: the step of the last update of each row and the number of its
 *     updates, 0 for a row that was never updated; null if the table does not keep them
 */
record RowBlock(int blocks, Object weights, Object[] state, long @Nullable [] usage) {
  /** Values of {@code usage} per row. */
  static final int USAGE = 2;

  /** Returns a block with zero weights and the initial optimizer state. */
  static RowBlock blank(RowLayout layout) {
    return blank(1, layout);
  }

  /** Returns a slab with zero weights and the initial optimizer state. */
  static RowBlock blankSlab(RowLayout layout) {
    return blank(EmbeddingPartition.PAGE, layout);
  }

  private static RowBlock blank(int blocks, RowLayout layout) {
    int rows = blocks * layout.perBlock();
    int slots = layout.slots().size();
    Object[] state = layout.hasNarrowState() ? new Object[slots] : new float[slots][];
    for (int i = 0; i < slots; i++) {
      int length = rows * layout.width(i);
      float initial = layout.slots().get(i).initial();
      state[i] = layout.isNarrow(i) ? narrow(length, initial) : full(length, initial);
    }
    return new RowBlock(
        blocks,
        layout.storage().allocate(rows * layout.dim()),
        state,
        layout.hasUsage() ? new long[USAGE * rows] : null);
  }

  private static float[] full(int length, float initial) {
    float[] values = new float[length];
    if (Float.floatToRawIntBits(initial) != 0) {
      Arrays.fill(values, initial);
    }
    return values;
  }

  private static short[] narrow(int length, float initial) {
    short[] halves = new short[length];
    Arrays.fill(halves, HalfFloats.toBfloat16(initial));
    return halves;
  }

  /** Returns the storage of an array of the state. */
  static Storage stored(Object slot) {
    return slot instanceof short[] ? Storage.SHORT : Storage.FLOAT;
  }

  boolean isSlab() {
    return blocks > 1;
  }

  /**
   * Returns the place in the arrays of a row.
   *
   * @param row number of the row in its partition
   */
  int at(long row, int perBlock) {
    return (int) row & blocks * perBlock - 1;
  }

  /** Returns whether the other one is the same block or slab. */
  boolean hasArraysOf(@Nullable RowBlock other) {
    return other != null && other.weights == weights;
  }

  /** Returns a copy of all blocks. */
  RowBlock copied() {
    Object[] copies = state.clone(); // of the same type
    for (int i = 0; i < copies.length; i++) {
      copies[i] = clone(state[i]);
    }
    return new RowBlock(blocks, clone(weights), copies, usage == null ? null : usage.clone());
  }

  private static Object clone(Object values) {
    return values instanceof float[] floats ? floats.clone() : ((short[]) values).clone();
  }

  /** Returns a copy of block {@code number} of the partition, which the arrays contain. */
  RowBlock copy(int number, RowLayout layout) {
    RowBlock copy = blank(layout);
    copy.copyBlock(this, number, layout);
    return copy;
  }

  /** Overwrites block {@code number} of the partition with the same one of other arrays. */
  void copyBlock(RowBlock other, int number, RowLayout layout) {
    int perBlock = layout.perBlock();
    long first = (long) number * perBlock;
    copyRows(other, other.at(first, perBlock), at(first, perBlock), perBlock, layout);
  }

  /** Returns whether row {@code at} was updated, which is known of every row only with usage. */
  boolean isUpdated(int at) {
    return usage == null || usage[USAGE * at + 1] > 0;
  }

  /** Returns the step of the last update of row {@code at}. */
  long lastStep(int at) {
    return Objects.requireNonNull(usage)[USAGE * at];
  }

  /** Returns the number of steps that updated row {@code at}. */
  long updates(int at) {
    return Objects.requireNonNull(usage)[USAGE * at + 1];
  }

  /** Sets the step of the last update of row {@code at} and the number of its updates. */
  void setUsage(int at, long step, long updates) {
    long[] values = Objects.requireNonNull(usage);
    values[USAGE * at] = step;
    values[USAGE * at + 1] = updates;
  }

  /** Counts an update of row {@code at}, if the table keeps that. */
  void count(int at, long step) {
    if (usage != null) {
      usage[USAGE * at] = step;
      usage[USAGE * at + 1]++;
    }
  }

  /**
   * Overwrites row {@code to} with row {@code from} of another block, including state and usage.
   */
  void copyRow(RowBlock other, int from, int to, RowLayout layout) {
    copyRows(other, from, to, 1, layout);
  }

  private void copyRows(RowBlock other, int from, int to, int rows, RowLayout layout) {
    int dim = layout.dim();
    System.arraycopy(other.weights, from * dim, weights, to * dim, rows * dim);
    for (int i = 0; i < state.length; i++) {
      int width = layout.width(i);
      System.arraycopy(other.state[i], from * width, state[i], to * width, rows * width);
    }
    if (usage != null && other.usage != null) {
      System.arraycopy(other.usage, USAGE * from, usage, USAGE * to, USAGE * rows);
    }
  }

  /** Returns the approximate bytes on the heap of one block; of a slab, its share. */
  long bytes(Storage storage) {
    long bytes = 64 + (long) storage.length(weights) * storage.bytes();
    bytes += usage == null ? 0 : 16 + (long) Long.BYTES * usage.length;
    for (Object slot : state) {
      Storage stored = stored(slot);
      bytes += 24 + (long) stored.bytes() * stored.length(slot);
    }
    return bytes / blocks;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.kernel.cpu.MeanDivider;
import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.tensor.DType;
import java.util.Arrays;

/**
 * Folds slices of float16 or bfloat16 in float32. Each slice with updates has a row of float32,
 * which {@link #round} converts to the dtype. Until then the blocks are only read.
 */
final class HalfFold {
  /** The most elements of an array of rows, and of the updates widened at a time, if rows fit. */
  private static final int ELEMENTS = 1 << 14;

  private final DType dtype;
  private final SliceBlocks blocks;
  private final ScatterKernel reduce;
  private final int units;
  private final int rowsAtOnce;
  private final int rowsPerArray;

  /** For each slice of a block, one more than the number of its row; 0 if it has none. */
  private final int[][] rows;

  private float[][] arrays = new float[1][];
  private int count;
  private float[] widened = {};
  private final SliceAddresses at = new SliceAddresses();

  /**
   * Creates a fold.
   *
   * @param reduce a float32 kernel of this fold alone
   */
  HalfFold(DType dtype, SliceBlocks blocks, ScatterKernel reduce) {
    this.dtype = dtype;
    this.blocks = blocks;
    this.reduce = reduce;
    this.units = blocks.units();
    this.rowsAtOnce = Math.max(1, ELEMENTS / Math.max(1, units));
    long slices = (long) blocks.slicesPerBlock() * blocks.arrays().length;
    this.rowsPerArray = (int) Math.max(1, Math.min(slices, rowsAtOnce));
    this.rows = new int[blocks.arrays().length][];
  }

  /** Returns the most bytes of a fold of {@code slices} slices. */
  static long bytes(long slices, int units) {
    long elements = Math.max(ELEMENTS, units);
    return slices * Integer.BYTES + (slices * units + 2 * elements) * Float.BYTES;
  }

  /** Makes {@code firsts} the values of their slices, none of which has updates yet. */
  void replace(SliceAddresses firsts, Object updates) {
    for (int i = 0; i < firsts.count; i++) {
      int row = append(firsts.block[i], firsts.position[i]);
      widen(updates, firsts.row[i], array(row), position(row));
    }
  }

  /** Folds {@code chunk}, in its order. */
  void reduce(SliceAddresses chunk, Object updates) {
    for (int from = 0; from < chunk.count; from += rowsAtOnce) {
      reduce(chunk, from, Math.min(rowsAtOnce, chunk.count - from), updates);
    }
  }

  private void reduce(SliceAddresses chunk, int from, int some, Object updates) {
    if (widened.length < some * units) {
      widened = new float[some * units];
    }
    for (int i = 0; i < some; i++) {
      int row = row(chunk.block[from + i], chunk.position[from + i]);
      at.block[i] = row / rowsPerArray;
      at.position[i] = position(row);
      at.row[i] = i * units;
      widen(updates, chunk.row[from + i], widened, i * units);
    }
    at.count = some;
    reduce.apply(arrays, at, widened, units);
  }

  /**
   * Writes the value of a slice with updates, divided by {@code count}, to its block, after {@link
   * ScatterKernel#finish} of the kernel.
   */
  void round(int block, int position, long count) {
    int row = rows[block][position / units] - 1;
    float[] array = array(row);
    if (count > 1) {
      MeanDivider.divide(DType.FLOAT32, array, position(row), units, count);
    }
    short[] halves = (short[]) blocks.arrays()[block];
    HalfRows.round(dtype, array, position(row), halves, position, units);
  }

  /** Returns the row of a slice; a new row has the slice's value. */
  private int row(int block, int position) {
    if (rows[block] != null && rows[block][position / units] > 0) {
      return rows[block][position / units] - 1;
    }
    int row = append(block, position);
    widen(blocks.arrays()[block], position, array(row), position(row));
    return row;
  }

  private int append(int block, int position) {
    if (rows[block] == null) {
      rows[block] = new int[blocks.slicesPerBlock()];
    }
    int array = count / rowsPerArray;
    if (array == arrays.length) {
      arrays = Arrays.copyOf(arrays, 2 * array); // a kernel may keep the shorter one
    }
    if (arrays[array] == null) {
      arrays[array] = new float[rowsPerArray * units];
    }
    rows[block][position / units] = ++count;
    return count - 1;
  }

  private float[] array(int row) {
    return arrays[row / rowsPerArray];
  }

  private int position(int row) {
    return row % rowsPerArray * units;
  }

  private void widen(Object halves, int from, float[] floats, int to) {
    HalfRows.widen(dtype, (short[]) halves, from, floats, to, units);
  }
}

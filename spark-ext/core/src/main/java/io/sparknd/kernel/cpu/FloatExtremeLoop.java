/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.kernel.spi.ScatterKernel;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;

/**
 * Minima and maxima of single floats in a tensor much larger than the caches. Java's rules for NaN
 * and zeros take several instructions an element, which leave the processor fewer memory reads to
 * overlap. So a chunk is copied to a buffer, and reduced there by vectors.
 *
 * <p>If a chunk updates an element twice, only its last result is stored. Therefore, all results
 * are compared with the stored elements and folded into those that differ. A minimum or maximum may
 * be taken twice, and in any order.
 */
final class FloatExtremeLoop {
  /** Units of a tensor from which on the loop is faster: twice a large third-level cache. */
  private static final int LARGE = 1 << 24;

  private FloatExtremeLoop() {}

  /** Returns {@code other}, but for MIN and MAX in one large block the loop of this class. */
  static ScatterKernel kernel(Reduction reduction, ScatterKernel other) {
    if (reduction != Reduction.MIN && reduction != Reduction.MAX) {
      return other;
    }
    ScatterKernel large = large(reduction);
    return (blocks, at, updates, units) ->
        (isLarge((float[][]) blocks) ? large : other).apply(blocks, at, updates, units);
  }

  private static boolean isLarge(float[][] blocks) {
    return blocks.length == 1 && blocks[0].length >= LARGE;
  }

  /** Returns the loop of MIN or MAX for slices of one unit in one block. */
  static ScatterKernel large(Reduction reduction) {
    return reduction == Reduction.MIN
        ? (blocks, at, updates, units) -> min(((float[][]) blocks)[0], at, (float[]) updates)
        : (blocks, at, updates, units) -> max(((float[][]) blocks)[0], at, (float[]) updates);
  }

  private static void min(float[] target, SliceAddresses at, float[] updates) {
    float[] results = read(target, at.position, at.count);
    float[] rows = read(updates, at.row, at.count);
    for (int i = 0; i < results.length; i++) {
      results[i] = Math.min(results[i], rows[i]);
    }
    write(target, at.position, results);
    for (int i = 0; i < results.length; i++) {
      int p = at.position[i];
      if (mayDiffer(target[p], results[i])) {
        target[p] = Math.min(target[p], results[i]);
      }
    }
  }

  private static void max(float[] target, SliceAddresses at, float[] updates) {
    float[] results = read(target, at.position, at.count);
    float[] rows = read(updates, at.row, at.count);
    for (int i = 0; i < results.length; i++) {
      results[i] = Math.max(results[i], rows[i]);
    }
    write(target, at.position, results);
    for (int i = 0; i < results.length; i++) {
      int p = at.position[i];
      if (mayDiffer(target[p], results[i])) {
        target[p] = Math.max(target[p], results[i]);
      }
    }
  }

  private static float[] read(float[] from, int[] position, int count) {
    float[] units = new float[count];
    for (int i = 0; i < count; i++) {
      units[i] = from[position[i]];
    }
    return units;
  }

  private static void write(float[] to, int[] position, float[] units) {
    for (int i = 0; i < units.length; i++) {
      to[position[i]] = units[i];
    }
  }

  /** Also true for zeros, which may have different signs, and for NaN. */
  private static boolean mayDiffer(float a, float b) {
    return a != b || a == 0;
  }
}

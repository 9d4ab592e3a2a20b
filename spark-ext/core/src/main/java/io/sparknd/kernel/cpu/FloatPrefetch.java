/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

/** Reads the cache lines of slices of float32; see {@link Prefetch}. */
final class FloatPrefetch {
  private static final int LINE = Prefetch.LINE_BYTES / Float.BYTES;

  private FloatPrefetch() {}

  /**
   * Reads a unit of every cache line of {@code array[from .. from + units)}, where {@link
   * Prefetch#IS_ON}. The first four lines are read without a loop: if the length is a constant, the
   * compiler removes their conditions.
   *
   * @return a value without a meaning, which the caller must store, or the compiler drops the reads
   */
  static int lines(float[] array, int from, int units) {
    if (!Prefetch.IS_ON) {
      return 0;
    }
    int seen = Prefetch.bits(array[from]) | Prefetch.bits(array[from + units - 1]);
    if (units > LINE) {
      seen |= Prefetch.bits(array[from + LINE]);
    }
    if (units > 2 * LINE) {
      seen |= Prefetch.bits(array[from + 2 * LINE]);
    }
    if (units > 3 * LINE) {
      seen |= Prefetch.bits(array[from + 3 * LINE]);
    }
    for (int i = 4 * LINE; i < units; i += LINE) {
      seen |= Prefetch.bits(array[from + i]);
    }
    return seen;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

/**
 * Reads the cache lines of a slice before they are needed. Out-of-order execution covers only a few
 * slices; with these reads, lines of later slices load in the meantime.
 *
 * <p>The returned values have no meaning, but the caller must store them, or the compiler drops the
 * reads. The first four lines are read without a loop: if the length is a constant, the compiler
 * removes their conditions.
 */
final class Prefetch {
  /** How many slices ahead of the current one to read. */
  static final int AHEAD = 8;

  private static final int LINE_BYTES = 64;

  private Prefetch() {}

  /** Reads a unit of every cache line of {@code array[from .. from + units)}. */
  static int lines(float[] array, int from, int units) {
    int line = LINE_BYTES / Float.BYTES;
    int seen =
        Float.floatToRawIntBits(array[from]) | Float.floatToRawIntBits(array[from + units - 1]);
    if (units > line) {
      seen |= Float.floatToRawIntBits(array[from + line]);
    }
    if (units > 2 * line) {
      seen |= Float.floatToRawIntBits(array[from + 2 * line]);
    }
    if (units > 3 * line) {
      seen |= Float.floatToRawIntBits(array[from + 3 * line]);
    }
    for (int i = 4 * line; i < units; i += line) {
      seen |= Float.floatToRawIntBits(array[from + i]);
    }
    return seen;
  }

  static int lines(double[] array, int from, int units) {
    int line = LINE_BYTES / Double.BYTES;
    long seen =
        Double.doubleToRawLongBits(array[from])
            | Double.doubleToRawLongBits(array[from + units - 1]);
    if (units > line) {
      seen |= Double.doubleToRawLongBits(array[from + line]);
    }
    if (units > 2 * line) {
      seen |= Double.doubleToRawLongBits(array[from + 2 * line]);
    }
    if (units > 3 * line) {
      seen |= Double.doubleToRawLongBits(array[from + 3 * line]);
    }
    for (int i = 4 * line; i < units; i += line) {
      seen |= Double.doubleToRawLongBits(array[from + i]);
    }
    return (int) seen;
  }

  static int lines(long[] array, int from, int units) {
    int line = LINE_BYTES / Long.BYTES;
    long seen = array[from] | array[from + units - 1];
    if (units > line) {
      seen |= array[from + line];
    }
    if (units > 2 * line) {
      seen |= array[from + 2 * line];
    }
    if (units > 3 * line) {
      seen |= array[from + 3 * line];
    }
    for (int i = 4 * line; i < units; i += line) {
      seen |= array[from + i];
    }
    return (int) seen;
  }

  static int lines(int[] array, int from, int units) {
    int line = LINE_BYTES / Integer.BYTES;
    int seen = array[from] | array[from + units - 1];
    if (units > line) {
      seen |= array[from + line];
    }
    if (units > 2 * line) {
      seen |= array[from + 2 * line];
    }
    if (units > 3 * line) {
      seen |= array[from + 3 * line];
    }
    for (int i = 4 * line; i < units; i += line) {
      seen |= array[from + i];
    }
    return seen;
  }

  static int lines(short[] array, int from, int units) {
    int line = LINE_BYTES / Short.BYTES;
    int seen = array[from] | array[from + units - 1];
    if (units > line) {
      seen |= array[from + line];
    }
    if (units > 2 * line) {
      seen |= array[from + 2 * line];
    }
    if (units > 3 * line) {
      seen |= array[from + 3 * line];
    }
    for (int i = 4 * line; i < units; i += line) {
      seen |= array[from + i];
    }
    return seen;
  }

  static int lines(byte[] array, int from, int units) {
    int line = LINE_BYTES / Byte.BYTES;
    int seen = array[from] | array[from + units - 1];
    if (units > line) {
      seen |= array[from + line];
    }
    if (units > 2 * line) {
      seen |= array[from + 2 * line];
    }
    if (units > 3 * line) {
      seen |= array[from + 3 * line];
    }
    for (int i = 4 * line; i < units; i += line) {
      seen |= array[from + i];
    }
    return seen;
  }
}

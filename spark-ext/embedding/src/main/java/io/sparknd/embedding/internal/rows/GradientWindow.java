/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * The sums of the gradients of a few rows. The elements of a sum are consecutive in an array that
 * several rows may share, and that must not be modified.
 */
final class GradientWindow {
  /**
   * Rows of a window. Their weights are read one right after the other before they are updated: the
   * CPU then fetches several at once.
   */
  static final int ROWS = 16;

  private final long[] addresses = new long[ROWS];
  private final float[][] arrays = new float[ROWS][];
  private final int[] offsets = new int[ROWS];
  private int count;

  int count() {
    return count;
  }

  boolean isFull() {
    return count == ROWS;
  }

  void clear() {
    count = 0;
  }

  /** Adds the row at {@code address}, whose sum begins at element {@code offset} of an array. */
  void add(long address, float[] array, int offset) {
    addresses[count] = address;
    arrays[count] = array;
    offsets[count++] = offset;
  }

  long address(int i) {
    return addresses[i];
  }

  float[] array(int i) {
    return arrays[i];
  }

  int offset(int i) {
    return offsets[i];
  }
}

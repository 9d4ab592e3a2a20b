/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import java.util.Arrays;

/**
 * The rows of a table that a shard requested, and their gradients, in arrays that are reused for
 * the next rows. Both may be longer than the rows; what follows in {@link #rows} is NaN, so that
 * sums over all of it are noticed.
 */
final class RowBuffers {
  /** New arrays are longer than the rows by this share: mini-batches differ by some rows. */
  private static final int SPARE = 32;

  /** Arrays are kept while they are at most so many times as long as the rows. */
  private static final int MOST_UNUSED = 2;

  private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  private float[] rows = new float[0];

  /** Empty or as long as {@code rows}. */
  private float[] gradients = new float[0];

  /** Number of elements of the rows; all after them are NaN. */
  private int used;

  /** Returns the number of elements of the rows. */
  int used() {
    return used;
  }

  private static int length(int elements) {
    return Math.max(elements, (int) Math.min(MAX_LENGTH, elements + (long) elements / SPARE));
  }

  /** Makes space for other rows. The gradients of the rows before must have been taken. */
  void resize(int elements) {
    if (elements > rows.length || rows.length / MOST_UNUSED > elements) {
      release(); // may be collected before the next ones are allocated
      rows = new float[length(elements)];
      used = rows.length;
    } else if (gradients.length > 0) {
      // a step function may have written after the rows: that is no gradient of the next ones
      Arrays.fill(gradients, used, gradients.length, 0);
    }
    if (elements < used) {
      Arrays.fill(rows, elements, used, Float.NaN);
    }
    used = elements;
  }

  /** Releases the memory. */
  void release() {
    rows = new float[0];
    gradients = rows;
    used = 0;
  }

  /** Returns the rows, {@code [count, dim]}, which their owners write. */
  float[] rows() {
    return rows;
  }

  /** Returns the gradients of the rows, {@code [count, dim]}, which are zeros. */
  float[] gradients() {
    if (gradients.length < rows.length) {
      gradients = new float[rows.length];
    }
    return gradients;
  }
}

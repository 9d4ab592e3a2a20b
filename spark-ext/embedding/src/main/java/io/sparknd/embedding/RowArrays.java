/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.Arrays;

/**
 * The rows of a table that a shard requested, and their gradients, in arrays that are used for the
 * next rows, too. Both may be longer than the rows; what follows in {@link #rows} is NaN, so that a
 * loop over all of it does not end in a wrong number unnoticed.
 */
final class RowArrays {
  /** New arrays are longer than the rows by this share: mini-batches differ by some rows. */
  private static final int SPARE = 32;

  /** Arrays are kept while they are at most so many times as long as the rows. */
  private static final int MOST_UNUSED = 4;

  private static final int MAX_LENGTH = Integer.MAX_VALUE - 8;

  private float[] rows = new float[0];

  /** Empty or as long as {@code rows}. */
  private float[] gradients = new float[0];

  /** Number of elements of the rows; all after them are NaN. */
  private int used;

  /** Returns the number of elements of the rows that have space. */
  int length() {
    return rows.length;
  }

  /** Returns what {@link #length} is after {@link #resize}. */
  int lengthFor(int elements) {
    boolean isKept = elements <= rows.length && rows.length / MOST_UNUSED <= elements;
    return isKept
        ? rows.length
        : Math.max(elements, (int) Math.min(MAX_LENGTH, elements + (long) elements / SPARE));
  }

  /** Makes space for other rows in place of the ones before, whose gradients are zeros again. */
  void resize(int elements) {
    int length = lengthFor(elements);
    if (length != rows.length) {
      release(); // may be collected before the next ones are allocated
      rows = new float[length];
      used = length;
    } else if (gradients.length > 0) {
      // a step function may have written after the rows: that is no gradient of the next ones
      Arrays.fill(gradients, Math.min(used, elements), length, 0);
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

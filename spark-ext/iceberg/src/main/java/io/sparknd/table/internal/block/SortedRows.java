/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import java.util.Arrays;

/** Rows of a block, ascending, with the slots of their values in a payload. */
record SortedRows(long[] rows, int[] slots) {

  /**
   * Sorts rows whose slots count up from {@code first}. The rows must be distinct; {@link
   * #repeated} detects duplicates.
   *
   * @param rows in any order; not copied if ascending
   */
  static SortedRows of(long[] rows, int first) {
    int[] slots = new int[rows.length];
    boolean ascends = true;
    for (int i = 0; i < rows.length; i++) {
      slots[i] = first + i;
      ascends &= i == 0 || rows[i - 1] < rows[i];
    }
    return ascends ? new SortedRows(rows, slots) : sorted(rows, first);
  }

  private static SortedRows sorted(long[] rows, int first) {
    long[] ascending = rows.clone();
    Arrays.sort(ascending);
    int[] slots = new int[rows.length];
    for (int i = 0; i < rows.length; i++) {
      slots[Arrays.binarySearch(ascending, rows[i])] = first + i;
    }
    return new SortedRows(ascending, slots);
  }

  int count() {
    return rows.length;
  }

  /** Returns a row that occurs more than once; -1 if there is none. */
  long repeated() {
    for (int i = 1; i < rows.length; i++) {
      if (rows[i] == rows[i - 1]) {
        return rows[i];
      }
    }
    return -1;
  }

  /** Merges both; common rows appear twice. */
  SortedRows mergedWith(SortedRows other) {
    long[] merged = new long[count() + other.count()];
    int[] from = new int[merged.length];
    int left = 0;
    int right = 0;
    for (int i = 0; i < merged.length; i++) {
      boolean takesLeft =
          right == other.count() || left < count() && rows[left] < other.rows[right];
      merged[i] = takesLeft ? rows[left] : other.rows[right];
      from[i] = takesLeft ? slots[left++] : other.slots[right++];
    }
    return new SortedRows(merged, from);
  }

  /** Returns the rows with {@code by} added to each. */
  SortedRows shifted(long by) {
    return new SortedRows(Arrays.stream(rows).map(row -> row + by).toArray(), slots);
  }
}

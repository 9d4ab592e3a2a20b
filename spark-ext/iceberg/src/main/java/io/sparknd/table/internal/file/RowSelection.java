/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.util.Arrays;

/**
 * Selected rows {@code positions[from, to)} of a file, ascending, with the {@code slots} to read
 * them to. All are in the row group that begins at row {@code groupStart}.
 */
record RowSelection(int[] positions, int[] slots, int from, int to, long groupStart) {

  /** Returns the i-th row's number in the row group. */
  long row(int i) {
    return positions[i] - groupStart;
  }

  /** Returns whether a row of the file is selected. */
  boolean has(long position) {
    return Arrays.binarySearch(positions, from, to, (int) position) >= 0;
  }

  int slot(int i) {
    return slots[i];
  }

  /**
   * Returns the number of rows, from the i-th on, that are consecutive both in the file and in the
   * target.
   */
  int run(int i) {
    int end = i + 1;
    while (end < to
        && positions[end] == positions[end - 1] + 1
        && slots[end] == slots[end - 1] + 1) {
      end++;
    }
    return end - i;
  }
}

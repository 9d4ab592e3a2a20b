/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

/**
 * Rows {@code positions[from, to)} of a file, ascending, all of the row group that begins with row
 * {@code groupStart}; they go to {@code slots}.
 */
record RowSelection(int[] positions, int[] slots, int from, int to, long groupStart) {

  /** The i-th, counted in the row group. */
  long row(int i) {
    return positions[i] - groupStart;
  }

  int slot(int i) {
    return slots[i];
  }

  /** How many from the i-th on follow each other in the file and in the target alike. */
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.Optional;

/**
 * Where the lists and elements of tensors begin that lie one behind the other.
 *
 * @param dims {@code [rows, rank]}
 * @param begins {@code [rank + 1, rows + 1]}: where each row's lists of each level begin, and
 *     behind them its elements
 */
record ListLayout(int rows, int rank, int[] dims, int[][] begins) {

  /** Empty if there are more lists or elements than a column can have. */
  static Optional<ListLayout> of(int rows, int rank, int[] dims) {
    int[][] begins = new int[rank + 1][rows + 1];
    for (int row = 0; row < rows; row++) {
      long count = 1;
      for (int level = 0; level <= rank; level++) {
        long end = begins[level][row] + count;
        if (end >= Integer.MAX_VALUE) {
          return Optional.empty();
        }
        begins[level][row + 1] = (int) end;
        count *= level < rank ? dims[row * rank + level] : 1;
      }
    }
    return Optional.of(new ListLayout(rows, rank, dims, begins));
  }

  /** How many lists the level has; behind the last one, how many elements there are. */
  int count(int level) {
    return begins[level][rows];
  }
}

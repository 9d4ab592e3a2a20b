/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelErrors;
import java.util.Optional;

/**
 * The start positions of the lists and elements of consecutive tensors.
 *
 * @param dims {@code [rows, rank]}
 * @param begins {@code [rank + 1, rows + 1]}: per level, the position of each row's first list; in
 *     the last level, of its first element
 */
record ListLayout(int rows, int rank, int[] dims, int[][] begins) {

  /**
   * Returns the layout; empty if one row has more lists or elements than a column can have.
   *
   * @throws io.sparknd.tensor.SparkNdException if all rows together have
   */
  static Optional<ListLayout> of(int rows, int rank, int[] dims) {
    return of(rows, rank, dims, NestedColumns.MAX_LENGTH);
  }

  /**
   * @param limit the most lists of a level, or elements
   */
  static Optional<ListLayout> of(int rows, int rank, int[] dims, int limit) {
    int[][] begins = new int[rank + 1][rows + 1];
    for (int row = 0; row < rows; row++) {
      long count = 1;
      for (int level = 0; level <= rank; level++) {
        if (count > limit) {
          return Optional.empty();
        }
        long end = begins[level][row] + count;
        if (end > limit) {
          throw KernelErrors.batchTooLarge(rows, limit);
        }
        begins[level][row + 1] = (int) end;
        count *= level < rank ? dims[row * rank + level] : 1;
      }
    }
    return Optional.of(new ListLayout(rows, rank, dims, begins));
  }

  /** Returns the number of lists of a level; for level {@code rank}, the number of elements. */
  int count(int level) {
    return begins[level][rows];
  }
}

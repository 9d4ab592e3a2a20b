/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Reduction;

/** What a {@link RowFunction} does, for those who do it to columns of nested arrays of numbers. */
public sealed interface RowOperator {
  /** What is done row by row alone. */
  RowOperator ROW_BY_ROW = new RowByRow();

  /**
   * {@code (tensor, indices, updates)}.
   *
   * @param depth values in each index tuple
   */
  record Scatter(Reduction reduction, IndexPolicy policy, int depth) implements RowOperator {}

  /**
   * {@code (indices, updates, shape)}: updates are added to zeros.
   *
   * @param depth values in each index tuple
   * @param rank of the result
   */
  record ScatterNd(IndexPolicy policy, int depth, int rank) implements RowOperator {}

  /**
   * {@code (params, indices)}.
   *
   * @param depth values in each index tuple
   */
  record Gather(IndexPolicy policy, int depth) implements RowOperator {}

  /** See {@link #ROW_BY_ROW}. */
  record RowByRow() implements RowOperator {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.IndexPolicy;
import io.sparknd.op.Reduction;

/**
 * The operation of a {@link RowFunction}, for implementations on columns of nested arrays of
 * numbers.
 */
public sealed interface RowOperator {
  /** An operation that is evaluated row by row only. */
  RowOperator ROW_BY_ROW = new RowByRow();

  /**
   * A scatter of {@code (tensor, indices, updates)}.
   *
   * @param depth values in each index tuple
   */
  record Scatter(Reduction reduction, IndexPolicy policy, int depth) implements RowOperator {}

  /**
   * A scatter of {@code (indices, updates, shape)}, which adds updates to zeros.
   *
   * @param depth values in each index tuple
   * @param rank of the result
   */
  record ScatterNd(IndexPolicy policy, int depth, int rank) implements RowOperator {}

  /**
   * A gather of {@code (params, indices)}.
   *
   * @param depth values in each index tuple
   */
  record Gather(IndexPolicy policy, int depth) implements RowOperator {}

  /** The type of {@link #ROW_BY_ROW}. */
  record RowByRow() implements RowOperator {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import org.apache.iceberg.expressions.Expression;
import org.apache.iceberg.expressions.Expressions;

/** Filters of consecutive blocks, which each begin at a multiple of their number of rows. */
public final class BlockRange {
  private BlockRange() {}

  /**
   * Returns a filter for the rows of blocks. Rows without a value in the column are in a block
   * before the first.
   *
   * @param column the column by which rows are in blocks
   * @param first the first block
   * @param last the last block, which may end after 2^63
   */
  public static Expression of(String column, long first, long last, long rowsPerBlock) {
    Expression from = Expressions.greaterThanOrEqual(column, first * rowsPerBlock);
    boolean isOpen = last + 1 > Long.MAX_VALUE / rowsPerBlock;
    Expression range =
        isOpen
            ? from
            : Expressions.and(from, Expressions.lessThan(column, (last + 1) * rowsPerBlock));
    return first < 0 ? Expressions.or(range, Expressions.isNull(column)) : range;
  }
}

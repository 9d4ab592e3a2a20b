/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.expressions.UnsafeRow;
import org.apache.spark.sql.catalyst.expressions.codegen.GenerateUnsafeRowJoiner;
import org.apache.spark.sql.catalyst.expressions.codegen.UnsafeRowJoiner;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.apache.spark.unsafe.Platform;

/**
 * Rows with a slice in one more column. One instance a task; a row that it makes is valid until the
 * next.
 */
public final class SliceAppender {
  private final UnsafeRowJoiner joiner;
  private final SliceColumn slices;
  private final UnsafeRow row;

  /**
   * @param rows columns of the rows that slices are appended to
   * @param value SQL type of a slice
   */
  public SliceAppender(StructType rows, DataType value, DType dtype, Shape slice) {
    StructType column = new StructType().add("value", value, false);
    this.joiner = GenerateUnsafeRowJoiner.create(rows, column);
    this.slices = SliceColumn.of(column, dtype, slice);
    this.row = new UnsafeRow(rows.length());
  }

  /** {@code row} of a query with the slice that begins at {@code unit} of {@code array}. */
  public InternalRow append(InternalRow row, Object array, int unit) {
    return joiner.join((UnsafeRow) row, slices.row(array, unit));
  }

  /** As above, for the row that is in bytes {@code [from, to)} of {@code rows}. */
  public InternalRow append(byte[] rows, int from, int to, Object array, int unit) {
    row.pointTo(rows, Platform.BYTE_ARRAY_OFFSET + (long) from, to - from);
    return joiner.join(row, slices.row(array, unit));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.lookup;

import io.sparknd.cluster.SqlTypes;
import io.sparknd.cluster.spark.SliceAppender;
import io.sparknd.embedding.Lookup;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * What rows get, for tasks to make.
 *
 * @param rows columns of the rows
 * @param dtype of the tensor
 * @param slice shape of its rows
 */
record RowResult(StructType rows, DType dtype, Shape slice, Lookup how) implements Serializable {

  /** Columns of the rows that come out. */
  StructType schema(String column) {
    return rows.add(column, type(), false);
  }

  private DataType type() {
    return SqlTypes.slice(dtype, slice.rank());
  }

  ListFold fold() {
    return ListFold.of(dtype, (int) slice.elements(), how);
  }

  /** The row that takes the place of a dropped one; null where that is left out. */
  Object fill() {
    return LookupCall.fill(how, dtype, slice);
  }

  /** Of what {@link #fold} makes: halves come out of it as float32, which is their SQL type too. */
  SliceAppender appender() {
    DType combined = dtype == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32;
    return SliceAppender.of(rows, type(), combined, slice);
  }
}

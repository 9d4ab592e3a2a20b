/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.lookup;

import io.sparknd.cluster.internal.columnar.SliceAppender;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The definition of the result column, from which tasks create folds and appenders.
 *
 * @param rows columns of the rows
 * @param dtype dtype of the tensor
 * @param slice shape of the tensor's rows
 * @param how definition of the lookup
 */
record ResultColumn(StructType rows, DType dtype, Shape slice, Lookup how) implements Serializable {

  /** Returns the columns of the result. */
  StructType schema(String column) {
    return rows.add(column, type(), false);
  }

  private DataType type() {
    return SqlTypes.slice(dtype, slice.rank());
  }

  ListFold fold() {
    return ListFold.of(dtype, (int) slice.elements(), how);
  }

  /** Returns the row that replaces a dropped one; null if dropped rows are omitted. */
  @Nullable Object fill() {
    return LookupCall.fill(how, dtype, slice);
  }

  /**
   * Returns an appender of combined rows. {@link #fold} produces float32 for half types, which is
   * their SQL type too.
   */
  SliceAppender appender() {
    DType combined = dtype == DType.FLOAT64 ? DType.FLOAT64 : DType.FLOAT32;
    return SliceAppender.of(rows, type(), combined, slice);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import java.io.Serializable;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Reads the part of rows beside their index columns. */
sealed interface RowValue extends Serializable permits SliceValue, OffsetsOnly {
  /** Returns the most rows in a chunk. */
  int capacity();

  /** Returns a payload with room for {@code rows} rows. */
  Object allocate(int rows);

  /**
   * Reads {@code row} to row {@code i} of {@code payload}.
   *
   * @return null, or the problem with the value
   */
  @Nullable String read(InternalRow row, Object payload, int i);

  /**
   * Returns the payload of {@code count} rows of a batch; empty if they must be read row by row.
   */
  Optional<Object> read(ColumnarBatch batch, int from, int count);
}

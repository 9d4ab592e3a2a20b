/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.rows;

import java.io.Serializable;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** What is read of rows beside their index columns. */
sealed interface RowValue extends Serializable permits SliceValue, OffsetsOnly {
  /** The most rows in a chunk. */
  int capacity();

  /** A payload with room for {@code rows} rows. */
  Object allocate(int rows);

  /**
   * Reads {@code row} to row {@code i} of {@code payload}.
   *
   * @return null, or what is wrong with the value
   */
  String read(InternalRow row, Object payload, int i);

  /** The payload of {@code count} rows of a batch; empty where they have to be read singly. */
  Optional<Object> read(ColumnarBatch batch, int from, int count);
}

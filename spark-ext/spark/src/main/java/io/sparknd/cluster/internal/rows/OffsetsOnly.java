/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Reads no value: only offsets are needed. */
record OffsetsOnly() implements RowValue {
  private static final int ROWS = 4096;

  @Override
  public int capacity() {
    return ROWS;
  }

  @Override
  public Object allocate(int rows) {
    return new byte[0];
  }

  @Override
  public @Nullable String read(InternalRow row, Object payload, int i) {
    return null;
  }

  @Override
  public Optional<Object> read(ColumnarBatch batch, int from, int count) {
    return Optional.of(allocate(count));
  }
}

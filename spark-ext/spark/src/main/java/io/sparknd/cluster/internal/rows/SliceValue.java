/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.columnar.SliceColumns;
import io.sparknd.cluster.internal.columnar.SliceReader;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.tensor.Storage;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/**
 * Reads the value column as slices.
 *
 * @param ordinal position of the value column
 * @param units units of a slice
 */
record SliceValue(
    int ordinal, SliceReader rowReader, SliceColumns batchReader, Storage storage, int units)
    implements RowValue {
  /**
   * Bytes of a chunk, which fit the caches of a core. From half a region on, G1 would give each
   * array regions of its own.
   */
  private static final int CHUNK_BYTES = 1 << 18;

  private static final int CHUNK_ROWS = 4096;

  @Override
  public int capacity() {
    return capacity(storage, units);
  }

  /** Returns the rows in a chunk of slices of {@code units} units. */
  static int capacity(Storage storage, int units) {
    long rowBytes = Math.max(1, (long) units * BlockLayout.unitBytes(storage));
    return (int) Math.max(1, Math.min(CHUNK_ROWS, CHUNK_BYTES / rowBytes));
  }

  @Override
  public Object allocate(int rows) {
    return storage.allocate(rows * units);
  }

  @Override
  public @Nullable String read(InternalRow row, Object payload, int i) {
    return rowReader.read(row, ordinal, payload, i * units);
  }

  @Override
  public Optional<Object> read(ColumnarBatch batch, int from, int count) {
    return batchReader.read(batch.column(ordinal), from, count);
  }
}

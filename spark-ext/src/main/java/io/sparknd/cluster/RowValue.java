/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.spark.SliceColumns;
import io.sparknd.cluster.spark.SliceReader;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.Optional;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;

/** What is read of rows beside their index columns. */
sealed interface RowValue extends Serializable {
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

  /** Nothing: offsets are all that is asked for. */
  record None() implements RowValue {
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
    public String read(InternalRow row, Object payload, int i) {
      return null;
    }

    @Override
    public Optional<Object> read(ColumnarBatch batch, int from, int count) {
      return Optional.of(allocate(count));
    }
  }

  /**
   * A slice.
   *
   * @param ordinal of the value column
   * @param units of a slice
   */
  record Slice(int ordinal, SliceReader singly, SliceColumns atOnce, Storage storage, int units)
      implements RowValue {
    private static final int CHUNK_BYTES = 1 << 20;
    private static final int CHUNK_ROWS = 4096;

    @Override
    public int capacity() {
      long rowBytes = Math.max(1, (long) units * BlockLayout.unitBytes(storage));
      return (int) Math.max(1, Math.min(CHUNK_ROWS, CHUNK_BYTES / rowBytes));
    }

    @Override
    public Object allocate(int rows) {
      return storage.allocate(rows * units);
    }

    @Override
    public String read(InternalRow row, Object payload, int i) {
      return singly.read(row, ordinal, payload, i * units);
    }

    @Override
    public Optional<Object> read(ColumnarBatch batch, int from, int count) {
      return atOnce.read(batch.column(ordinal), from, count);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.rows;

import io.sparknd.cluster.internal.columnar.SliceColumns;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.jspecify.annotations.Nullable;

/** Decodes updates in columnar batches: many rows at once where possible, else row by row. */
final class BatchChunks implements Iterator<NumberedRows> {
  private final RowDecoder decoder;
  private final int[] ordinals;
  private final Iterator<ColumnarBatch> batches;
  private @Nullable ColumnarBatch batch;
  private int at;

  /**
   * @param ordinals positions of the index columns in a batch
   */
  BatchChunks(RowDecoder decoder, int[] ordinals, Iterator<ColumnarBatch> batches) {
    this.decoder = decoder;
    this.ordinals = ordinals;
    this.batches = batches;
  }

  @Override
  public boolean hasNext() {
    while ((batch == null || at == batch.numRows()) && batches.hasNext()) {
      batch = batches.next();
      at = 0;
    }
    return batch != null && at < batch.numRows();
  }

  @Override
  public NumberedRows next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    ColumnarBatch batch = Objects.requireNonNull(this.batch);
    int count = Math.min(decoder.value().capacity(), batch.numRows() - at);
    NumberedRows chunk =
        decodeBatch(batch, count).orElseGet(() -> decoder.decode(rows(batch, count), count));
    at += count;
    return chunk;
  }

  /**
   * Decodes rows at once; empty if one may have an error or if values need conversion one by one.
   */
  private Optional<NumberedRows> decodeBatch(ColumnarBatch batch, int count) {
    long[][] indices = new long[ordinals.length][];
    for (int d = 0; d < indices.length; d++) {
      indices[d] = SliceColumns.integers(batch.column(ordinals[d]), at, count).orElse(null);
      if (indices[d] == null) {
        return Optional.empty();
      }
    }
    Optional<Object> payload = decoder.value().read(batch, at, count);
    long[] offsets = new long[count];
    return payload.isPresent() && decoder.indices().offsets(indices, count, offsets)
        ? Optional.of(new NumberedRows(offsets, count, payload.get()))
        : Optional.empty();
  }

  private Iterator<InternalRow> rows(ColumnarBatch batch, int count) {
    return IntStream.range(at, at + count).mapToObj(batch::getRow).iterator();
  }
}

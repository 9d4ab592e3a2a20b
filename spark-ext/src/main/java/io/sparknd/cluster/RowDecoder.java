/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.spark.SliceReader;
import io.sparknd.op.Offsets;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;

/** Rows as updates, one by one; one that cannot be used is refused and dropped. */
final class RowDecoder {
  private static final int CHUNK_BYTES = 1 << 20;
  private static final int CHUNK_ROWS = 4096;

  private final RowIndices indices;
  private final int valueOrdinal;
  private final SliceReader reader;
  private final Storage storage;
  private final int units;

  /**
   * @param units of a slice
   */
  RowDecoder(RowIndices indices, int valueOrdinal, SliceReader reader, Storage storage, int units) {
    this.indices = indices;
    this.valueOrdinal = valueOrdinal;
    this.reader = reader;
    this.storage = storage;
    this.units = units;
  }

  RowIndices indices() {
    return indices;
  }

  int valueOrdinal() {
    return valueOrdinal;
  }

  /** The most rows in a chunk. */
  int capacity() {
    long rowBytes = Math.max(1, (long) units * BlockLayout.unitBytes(storage));
    return (int) Math.max(1, Math.min(CHUNK_ROWS, CHUNK_BYTES / rowBytes));
  }

  /** The next rows, at most {@code most}. */
  UpdateChunk decode(Iterator<InternalRow> rows, int most) {
    long[] offsets = new long[most];
    Object payload = storage.allocate(most * units);
    int count = 0;
    while (count < most && rows.hasNext()) {
      InternalRow row = rows.next();
      offsets[count] = indices.offset(row);
      String problem = reader.read(row, valueOrdinal, payload, count * units);
      if (problem != null) {
        indices.refuseValue(problem);
        offsets[count] = Offsets.DROPPED;
      }
      count++;
    }
    return new UpdateChunk(offsets, count, payload);
  }
}

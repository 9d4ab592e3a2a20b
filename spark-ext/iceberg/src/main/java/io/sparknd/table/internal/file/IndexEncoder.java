/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;

/** Encodes pages of an index column as differences; ascending indices take almost no space. */
final class IndexEncoder implements PageEncoder {
  private static final int SLAB = 1 << 10;

  private final LeafColumn leaf;
  private final int rowsPerPage;
  private DeltaBinaryPackingValuesWriterForLong writer;
  private int rows;
  private long least = Long.MAX_VALUE;
  private long most = Long.MIN_VALUE;

  IndexEncoder(LeafColumn leaf, int pageBytes) {
    this.leaf = leaf;
    this.rowsPerPage = Math.max(1, pageBytes / Long.BYTES);
    this.writer = writer();
  }

  private static DeltaBinaryPackingValuesWriterForLong writer() {
    return new DeltaBinaryPackingValuesWriterForLong(
        SLAB, SLAB, HeapByteBufferAllocator.getInstance());
  }

  @Override
  public int room() {
    return rowsPerPage - rows;
  }

  @Override
  public void append(Object source, int at, int count) {
    long[] indices = (long[]) source;
    for (int i = at; i < at + count; i++) {
      writer.writeLong(indices[i]);
      least = Math.min(least, indices[i]);
      most = Math.max(most, indices[i]);
    }
    rows += count;
  }

  @Override
  public int rows() {
    return rows;
  }

  @Override
  public long bytes() {
    return writer.getBufferedSize();
  }

  @Override
  public Values finish() {
    Statistics<?> statistics = Statistics.createStats(leaf.column().getPrimitiveType());
    statistics.updateStats(least);
    statistics.updateStats(most);
    Values finished = new Values(writer.getBytes(), Encoding.DELTA_BINARY_PACKED, statistics);
    writer = writer();
    rows = 0;
    least = Long.MAX_VALUE;
    most = Long.MIN_VALUE;
    return finished;
  }
}

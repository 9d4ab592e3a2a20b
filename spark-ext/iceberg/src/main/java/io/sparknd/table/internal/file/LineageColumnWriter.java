/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.HeapByteBufferAllocator;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.column.values.delta.DeltaBinaryPackingValuesWriterForLong;
import org.apache.parquet.column.values.rle.RunLengthBitPackingHybridEncoder;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;

/** The pages of one column of row lineage in the current row group; values may be null. */
final class LineageColumnWriter {
  private static final int SLAB = 1 << 10;

  private final ColumnDescriptor column;
  private final BytesInputCompressor compressor;
  private final int rowsPerPage;
  private final List<Page> pages = new ArrayList<>();
  private long[] page;
  private int rows;
  private long bytes;
  private long values;

  LineageColumnWriter(ColumnDescriptor column, int pageBytes, BytesInputCompressor compressor) {
    this.column = column;
    this.compressor = compressor;
    this.rowsPerPage = Math.max(1, pageBytes / Long.BYTES);
    this.page = new long[Math.min(rowsPerPage, SLAB)];
  }

  void append(long value) throws IOException {
    if (rows == rowsPerPage) {
      cut();
    }
    if (rows == page.length) {
      page = Arrays.copyOf(page, (int) Math.min(rowsPerPage, 2L * rows));
    }
    page[rows++] = value;
  }

  /**
   * Returns the column's bytes in the row group so far; values not encoded yet count 8 bytes each.
   */
  long bytes() {
    return bytes + (long) rows * Long.BYTES;
  }

  @SuppressWarnings("deprecation") // its replacement wants an allocator to close
  private void cut() throws IOException {
    Statistics<?> statistics = Statistics.createStats(column.getPrimitiveType());
    HeapByteBufferAllocator heap = HeapByteBufferAllocator.getInstance();
    try (RunLengthBitPackingHybridEncoder levels =
            new RunLengthBitPackingHybridEncoder(1, SLAB, SLAB, heap);
        DeltaBinaryPackingValuesWriterForLong writer =
            new DeltaBinaryPackingValuesWriterForLong(SLAB, SLAB, heap)) {
      for (int i = 0; i < rows; i++) {
        boolean isNull = page[i] == RowLineage.INHERITED;
        levels.writeInt(isNull ? 0 : 1);
        if (isNull) {
          statistics.incrementNumNulls();
        } else {
          writer.writeLong(page[i]);
          statistics.updateStats(page[i]);
        }
      }
      byte[] present = levels.toBytes().toByteArray();
      BytesInput plain =
          BytesInput.from(
              BytesInput.concat(
                      BytesInput.from(LevelBytes.littleEndian(present.length)),
                      BytesInput.from(present),
                      writer.getBytes())
                  .toByteArray());
      add(plain, statistics);
    }
  }

  @SuppressWarnings("deprecation") // its replacement wants an allocator to close
  private void add(BytesInput plain, Statistics<?> statistics) throws IOException {
    BytesInput compressed =
        compressor.getCodecName() == CompressionCodecName.UNCOMPRESSED
            ? plain
            : BytesInput.copy(compressor.compress(plain));
    pages.add(new Page(rows, Math.toIntExact(plain.size()), compressed, statistics));
    bytes += compressed.size();
    values += rows;
    rows = 0;
  }

  /** Writes the column chunk. */
  void flush(ParquetFileWriter writer) throws IOException {
    if (rows > 0) {
      cut();
    }
    writer.startColumn(column, values, compressor.getCodecName());
    for (Page each : pages) {
      writer.writeDataPage(
          each.rows(),
          each.size(),
          each.bytes(),
          each.statistics(),
          each.rows(),
          Encoding.RLE,
          Encoding.RLE,
          Encoding.DELTA_BINARY_PACKED);
    }
    writer.endColumn();
    pages.clear();
    bytes = 0;
    values = 0;
  }

  private record Page(int rows, int size, BytesInput bytes, Statistics<?> statistics) {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.statistics.Statistics;
import org.apache.parquet.compression.CompressionCodecFactory.BytesInputCompressor;
import org.apache.parquet.hadoop.ParquetFileWriter;
import org.apache.parquet.hadoop.metadata.CompressionCodecName;
import org.jspecify.annotations.Nullable;

/** The pages of one column in the row group being written. */
final class ColumnChunkWriter {
  private final LeafColumn leaf;
  private final PageEncoder encoder;
  private final LevelBytes levels;
  private final BytesInputCompressor compressor;
  private final List<Page> pages = new ArrayList<>();
  private long bytes;
  private long values;

  ColumnChunkWriter(LeafColumn leaf, PageEncoder encoder, BytesInputCompressor compressor) {
    this.leaf = leaf;
    this.encoder = encoder;
    this.levels = new LevelBytes(leaf.pattern(), leaf.column().getMaxDefinitionLevel());
    this.compressor = compressor;
  }

  /** Appends consecutive rows; the first begins at unit {@code at} of {@code source}. */
  void append(Object source, int at, int rows, int units) throws IOException {
    for (int done = 0; done < rows; ) {
      if (encoder.room() == 0) {
        cut();
      }
      int step = Math.min(encoder.room(), rows - done);
      encoder.append(source, at + leaf.firstUnit() + done * units, step);
      done += step;
    }
  }

  /** Returns the column's bytes in the row group so far. */
  long bytes() {
    return bytes + encoder.bytes();
  }

  @SuppressWarnings("deprecation") // its replacement wants an allocator to close
  private void cut() throws IOException {
    int rows = encoder.rows();
    PageEncoder.Values page = encoder.finish();
    BytesInput plain = BytesInput.concat(BytesInput.from(levels.of(rows)), page.bytes());
    int size = Math.toIntExact(plain.size());
    BytesInput compressed =
        compressor.getCodecName() == CompressionCodecName.UNCOMPRESSED
            ? plain
            : BytesInput.copy(compressor.compress(plain));
    int count = Math.multiplyExact(rows, leaf.elements());
    pages.add(new Page(rows, count, size, compressed, page.encoding(), page.statistics()));
    bytes += compressed.size();
    values += count;
  }

  /** Writes the column chunk. */
  void flush(ParquetFileWriter writer) throws IOException {
    if (encoder.rows() > 0) {
      cut();
    }
    writer.startColumn(leaf.column(), values, compressor.getCodecName());
    for (Page page : pages) {
      writer.writeDataPage(
          page.values(),
          page.size(),
          page.bytes(),
          page.statistics(),
          page.rows(),
          Encoding.RLE,
          Encoding.RLE,
          page.encoding());
    }
    writer.endColumn();
    pages.clear();
    bytes = 0;
    values = 0;
  }

  private record Page(
      int rows,
      int values,
      int size,
      BytesInput bytes,
      Encoding encoding,
      @Nullable Statistics<?> statistics) {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.ColumnIndex;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.jspecify.annotations.Nullable;

/** Finds the pages of a row group that may have some of a list of keys, by their statistics. */
final class KeyPagePruning {
  /** Columns of at most this many bytes are read whole: looking up their pages takes as long. */
  private static final long WORTH_PRUNING = 1 << 20;

  private final ParquetFileReader reader;
  private final int group;
  private final ColumnDescriptor first;
  private final KeyCodec codec;

  /**
   * @param first the first key column
   */
  KeyPagePruning(ParquetFileReader reader, int group, ColumnDescriptor first, KeyCodec codec) {
    this.reader = reader;
    this.group = group;
    this.first = first;
    this.codec = codec;
  }

  /**
   * Returns the rows of the pages that may have touched keys; null for all rows.
   *
   * @param touched ascending
   */
  @Nullable RowRanges ranges(KeyList touched) throws IOException {
    BlockMetaData block = reader.getRowGroups().get(group);
    ColumnChunkMetaData chunk = chunk(block);
    if (chunk.getTotalSize() <= WORTH_PRUNING) {
      return null;
    }
    OffsetIndex offsets = reader.readOffsetIndex(chunk);
    ColumnIndex index = offsets == null ? null : reader.readColumnIndex(chunk);
    if (index == null) {
      return null;
    }
    List<ByteBuffer> least = index.getMinValues();
    List<ByteBuffer> greatest = index.getMaxValues();
    IntStream.Builder pages = IntStream.builder();
    for (int page = 0; page < offsets.getPageCount(); page++) {
      if (!index.getNullPages().get(page)
          && mayHave(touched, least.get(page), greatest.get(page))) {
        pages.add(page);
      }
    }
    return RowRanges.create(block.getRowCount(), pages.build().iterator(), offsets);
  }

  private ColumnChunkMetaData chunk(BlockMetaData block) {
    ColumnPath path = ColumnPath.get(first.getPath());
    return block.getColumns().stream()
        .filter(chunk -> chunk.getPath().equals(path))
        .findFirst()
        .orElseThrow();
  }

  /**
   * Returns whether a touched key may be between two values of the first key column, or prefixes of
   * them.
   */
  private boolean mayHave(KeyList touched, ByteBuffer least, ByteBuffer greatest) {
    KeyList bounds = new KeyList();
    write(least, bounds);
    KeyCodec.end(bounds);
    write(greatest, bounds);
    KeyCodec.end(bounds);
    int found = touched.search(0, bounds, 0);
    int next = found >= 0 ? found : -1 - found;
    return next < touched.count() && touched.comparePrefix(next, bounds, 1) <= 0;
  }

  private void write(ByteBuffer statistic, KeyList bounds) {
    ByteBuffer value = statistic.duplicate().order(ByteOrder.LITTLE_ENDIAN);
    switch (codec.columns().get(0).type()) {
      case STRING, BINARY, UUID -> {
        byte[] bytes = new byte[value.remaining()];
        value.get(bytes);
        codec.writePrefix(bytes, bounds);
      }
      case LONG ->
          KeyCodec.writeLong(
              value.remaining() == Integer.BYTES ? value.getInt() : value.getLong(), bounds);
      case INT, DATE -> KeyCodec.writeInt(value.getInt(), bounds);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.hadoop.ParquetFileReader;
import org.apache.parquet.hadoop.metadata.BlockMetaData;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.hadoop.metadata.ColumnPath;
import org.apache.parquet.internal.column.columnindex.OffsetIndex;
import org.apache.parquet.internal.filter2.columnindex.RowRanges;
import org.jspecify.annotations.Nullable;

/** Reads only those pages of a row group's columns that hold selected rows. */
final class PagePruning {
  /** Columns of at most this many bytes are read whole: looking up their pages takes as long. */
  private static final long WORTH_SKIPPING = 1 << 20;

  private final ParquetFileReader reader;
  private final int group;
  private final List<LeafColumn> columns;

  PagePruning(ParquetFileReader reader, int group, List<LeafColumn> columns) {
    this.reader = reader;
    this.group = group;
    this.columns = columns;
  }

  PageReadStore read(RowSelection wanted) throws IOException {
    RowRanges ranges = ranges(wanted);
    return ranges == null ? reader.readRowGroup(group) : reader.readFilteredRowGroup(group, ranges);
  }

  /** Returns the rows of the pages with selected rows; null to read all. */
  private @Nullable RowRanges ranges(RowSelection wanted) throws IOException {
    BlockMetaData block = reader.getRowGroups().get(group);
    List<ColumnChunkMetaData> chunks = chunks(block);
    if (chunks.stream().mapToLong(ColumnChunkMetaData::getTotalSize).sum() <= WORTH_SKIPPING) {
      return null;
    }
    RowRanges ranges = RowRanges.EMPTY;
    for (ColumnChunkMetaData chunk : chunks) {
      OffsetIndex index = reader.readOffsetIndex(chunk);
      if (index == null) {
        return null;
      }
      ranges = RowRanges.union(ranges, ranges(wanted, index, block.getRowCount()));
    }
    return ranges;
  }

  private static RowRanges ranges(RowSelection wanted, OffsetIndex index, long rows) {
    IntStream.Builder pages = IntStream.builder();
    int i = wanted.from();
    for (int page = 0; page < index.getPageCount() && i < wanted.to(); page++) {
      long last = index.getLastRowIndex(page, rows);
      if (wanted.row(i) <= last) {
        pages.add(page);
      }
      while (i < wanted.to() && wanted.row(i) <= last) {
        i++;
      }
    }
    return RowRanges.create(rows, pages.build().iterator(), index);
  }

  private List<ColumnChunkMetaData> chunks(BlockMetaData block) {
    Map<ColumnPath, ColumnChunkMetaData> byPath = new HashMap<>();
    block.getColumns().forEach(chunk -> byPath.put(chunk.getPath(), chunk));
    return columns.stream()
        .map(leaf -> byPath.get(ColumnPath.get(leaf.column().getPath())))
        .toList();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.LevelRuns;
import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import java.util.Arrays;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.jspecify.annotations.Nullable;

/**
 * Reads a column of row lineage written by any engine; {@link RowLineage#INHERITED} represents
 * null.
 */
final class LineageColumnReader {
  private final ColumnDescriptor column;
  private final long[] values;
  private int next;

  LineageColumnReader(ColumnDescriptor column, int rows) {
    this.column = column;
    this.values = new long[rows];
    Arrays.fill(values, RowLineage.INHERITED);
  }

  /** Reads the next row group. */
  void read(PageReadStore group) {
    PageReader pages = group.getPageReader(column);
    Dictionary dictionary = PageBytes.dictionary(pages, column);
    for (DataPage raw = pages.readPage(); raw != null; raw = pages.readPage()) {
      PageParts page = PageParts.of(raw, column);
      if (next + page.count() > values.length) {
        throw new ParquetDecodingException("column " + column + " has too many values");
      }
      read(page, dictionary);
      next += page.count();
    }
  }

  private void read(PageParts page, @Nullable Dictionary dictionary) {
    int present = column.getMaxDefinitionLevel();
    if (present == 0) {
      read(PageBytes.reader(page, column, dictionary), 0, page.count());
      return;
    }
    ValuesReader reader = null; // a page of nulls may have no values at all
    LevelRuns runs = new LevelRuns(page.definitions(), present, page.count());
    while (runs.next()) {
      if (runs.value() == present) {
        reader = reader == null ? PageBytes.reader(page, column, dictionary) : reader;
        read(reader, runs.start(), runs.length());
      }
    }
  }

  private void read(ValuesReader reader, int start, int count) {
    for (int i = 0; i < count; i++) {
      values[next + start + i] = reader.readLong();
    }
  }

  /** Returns the values of all rows, in file order. */
  long[] values() {
    if (next < values.length) {
      throw new ParquetDecodingException("column " + column + " has too few values");
    }
    return values;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.tensor.SparkNdException;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.jspecify.annotations.Nullable;

/** Reads one key column of some rows of a row group, in ascending order of the rows. */
final class KeyColumnReader {
  private final RowGroupReader group;
  private final ColumnDescriptor column;
  private final KeyCodec codec;
  private final int ordinal;
  private final PageReader pages;
  private final @Nullable Dictionary dictionary;
  private KeyValues values = KeyValues.NONE;

  /** The row of the next value, and the first row after the page. */
  private long next;

  private long end;

  /**
   * @param ordinal of the column in the key
   */
  KeyColumnReader(RowGroupReader group, KeyCodec codec, int ordinal, PageReadStore pages) {
    this.group = group;
    this.column = group.columns().get(ordinal);
    this.codec = codec;
    this.ordinal = ordinal;
    this.pages = pages.getPageReader(column);
    this.dictionary = dictionary();
  }

  private @Nullable Dictionary dictionary() {
    try {
      return PageBytes.dictionary(pages, column);
    } catch (RuntimeException e) {
      throw group.damaged(column, e);
    }
  }

  /**
   * Appends the value of a row to the key that is being written.
   *
   * @throws SparkNdException if the value is NULL, or its page cannot be decoded
   */
  void append(long row, KeyList keys) {
    try {
      read(row, keys);
    } catch (SparkNdException e) {
      throw e;
    } catch (RuntimeException e) {
      throw group.damaged(column, e);
    }
  }

  private void read(long row, KeyList keys) {
    while (row >= end) {
      open();
    }
    if (row < next) {
      throw new ParquetDecodingException("no page of " + column + " has row " + row);
    }
    if (row > next) {
      values.skip((int) (row - next));
    }
    values.append(keys);
    next = row + 1;
  }

  private void open() {
    DataPage raw = pages.readPage();
    if (raw == null) {
      throw new ParquetDecodingException("column " + column + " has too few values");
    }
    PageParts page = PageParts.of(raw, column);
    if (page.absent(column) != null) {
      throw TableErrors.nullInFile(group.file(), "with a NULL key", column.getPath()[0]);
    }
    next = page.firstRow() < 0 ? end : page.firstRow();
    end = next + page.count();
    values = KeyValues.of(page, column, codec, ordinal, dictionary);
  }
}

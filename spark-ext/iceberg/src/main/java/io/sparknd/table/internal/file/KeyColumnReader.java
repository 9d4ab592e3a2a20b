/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.LevelRuns;
import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.tensor.SparkNdException;
import java.util.BitSet;
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
  private final boolean mayHaveNulls;
  private KeyValues values = KeyValues.NONE;

  /** Rows of the page, from its first, that are NULL; null if none is. */
  private @Nullable BitSet nulls;

  private long first;

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
    this.mayHaveNulls = group.mayHaveNulls(column);
  }

  String name() {
    return column.getPath()[0];
  }

  /** Returns whether {@link #isNull} may be true of a row. */
  boolean mayHaveNulls() {
    return mayHaveNulls;
  }

  /** Returns whether the value of a row is NULL. */
  boolean isNull(long row) {
    try {
      moveTo(row);
    } catch (RuntimeException e) {
      throw group.damaged(column, e);
    }
    return nulls != null && nulls.get((int) (row - first));
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
   * @throws SparkNdException if its page cannot be decoded
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
    moveTo(row);
    int skipped = (int) (row - next);
    if (skipped > 0 && nulls != null) {
      skipped -= nulls.get((int) (next - first), (int) (row - first)).cardinality();
    }
    if (skipped > 0) {
      values.skip(skipped);
    }
    values.append(keys);
    next = row + 1;
  }

  /** Opens the page of a row. */
  private void moveTo(long row) {
    while (row >= end) {
      open();
    }
    if (row < next) {
      throw new ParquetDecodingException("no page of " + column + " has row " + row);
    }
  }

  private void open() {
    DataPage raw = pages.readPage();
    if (raw == null) {
      throw new ParquetDecodingException("column " + column + " has too few values");
    }
    PageParts page = PageParts.of(raw, column);
    nulls = nulls(page);
    if (nulls != null && !mayHaveNulls) {
      throw new ParquetDecodingException("the footer says that " + column + " has no NULLs");
    }
    first = page.firstRow() < 0 ? end : page.firstRow();
    next = first;
    end = first + page.count();
    boolean isEmpty = nulls != null && nulls.cardinality() == page.count();
    values = isEmpty ? KeyValues.NONE : KeyValues.of(page, column, codec, ordinal, dictionary);
  }

  private @Nullable BitSet nulls(PageParts page) {
    LevelRuns absent = page.absent(column);
    if (absent == null) {
      return null;
    }
    BitSet rows = new BitSet(page.count());
    do {
      if (absent.value() != column.getMaxDefinitionLevel()) {
        rows.set(absent.start(), absent.start() + absent.length());
      }
    } while (absent.next());
    return rows;
  }
}

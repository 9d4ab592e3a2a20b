/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.jspecify.annotations.Nullable;

/**
 * Reads a column of a row group from its start while every row has all of its values. Levels are
 * checked run by run, and the values of pages are copied in bulk.
 */
final class DenseColumnReader {
  private final ColumnDescriptor column;
  private final RepetitionPattern pattern;
  private final ElementCodec codec;
  private final PageReader pages;
  private final @Nullable Dictionary dictionary;
  private ByteBuffer values = ByteBuffer.allocate(0);
  private int left;

  /** The position within a row at which the next page begins. */
  private int position;

  /**
   * @param pattern the repetition levels of every row
   * @param codec the dtype's codec; it must accept every value of the column's physical type
   */
  DenseColumnReader(
      PageReadStore group, ColumnDescriptor column, RepetitionPattern pattern, ElementCodec codec) {
    this.column = column;
    this.pattern = pattern;
    this.codec = codec;
    this.pages = group.getPageReader(column);
    this.dictionary = PageBytes.dictionary(pages, column);
  }

  /**
   * Reads the next {@code rows} rows.
   *
   * @param target an array for the codec's values
   * @return false if a page of these rows has a row that is not whole; {@code target} may then be
   *     partly written
   */
  boolean read(int rows, Object target) {
    int wanted = rows * pattern.length();
    for (int done = 0; done < wanted; ) {
      if (left == 0 && !open()) {
        return false;
      }
      int step = Math.min(left, wanted - done);
      codec.read(values, step, target, done, 1);
      left -= step;
      done += step;
    }
    return true;
  }

  private boolean open() {
    DataPage raw = pages.readPage();
    if (raw == null) {
      return false;
    }
    PageParts page = PageParts.of(raw, column);
    if (pattern.matchingValues(page, position) < page.count() || page.absent(column) != null) {
      return false;
    }
    position = (int) ((position + (long) page.count()) % pattern.length());
    values = PageBytes.of(page, column, codec, dictionary);
    left = page.count();
    return true;
  }
}

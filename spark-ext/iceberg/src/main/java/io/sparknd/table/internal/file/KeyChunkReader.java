/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.key.KeyType;
import java.util.function.IntConsumer;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** Reads one key column of some rows of a row group. */
final class KeyChunkReader {
  private final String file;
  private final ColumnDescriptor column;
  private final KeyType type;
  private final PageReader pages;
  private final @Nullable Dictionary dictionary;
  private long next;

  KeyChunkReader(String file, ColumnDescriptor column, KeyType type, PageReadStore group) {
    this.file = file;
    this.column = column;
    this.type = type;
    this.pages = group.getPageReader(column);
    this.dictionary = PageBytes.dictionary(pages, column);
  }

  /**
   * Reads the values of rows.
   *
   * @param rows numbers of the rows in the group, ascending
   * @param bytes receives strings, binary values and UUIDs by the index of their row in {@code
   *     rows}; other values go to {@code numbers}
   */
  void read(int[] rows, byte[][] bytes, long[] numbers) {
    int i = 0;
    while (i < rows.length) {
      DataPage raw = pages.readPage();
      if (raw == null) {
        throw new ParquetDecodingException("column " + column + " has too few values");
      }
      i = read(PageParts.of(raw, column), rows, i, bytes, numbers);
    }
  }

  private int read(PageParts page, int[] rows, int first, byte[][] bytes, long[] numbers) {
    if (page.absent(column) != null) {
      throw TableErrors.nullInFile(file, "with a NULL key", column.getPath()[0]);
    }
    long start = page.firstRow() < 0 ? next : page.firstRow();
    next = start + page.count();
    int i = first;
    if (i >= rows.length || rows[i] >= next) {
      return i;
    }
    ValuesReader values = PageBytes.reader(page, column, dictionary);
    IntConsumer target = target(values, bytes, numbers);
    long at = start;
    while (i < rows.length && rows[i] < next) {
      if (rows[i] > at) {
        values.skip((int) (rows[i] - at));
      }
      target.accept(i);
      at = rows[i++] + 1L;
    }
    return i;
  }

  private IntConsumer target(ValuesReader values, byte[][] bytes, long[] numbers) {
    if (type.hasBytes()) {
      return i -> bytes[i] = values.readBytes().getBytesUnsafe();
    }
    return column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT32
        ? i -> numbers[i] = values.readInteger()
        : i -> numbers[i] = values.readLong();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.spark.sql.execution.vectorized.WritableColumnVector;
import org.jspecify.annotations.Nullable;

/** Reads the values of a page in order. */
interface PageValues {
  /** Reads the next {@code count} values to {@code target}, from element {@code at} on. */
  void read(int count, WritableColumnVector target, int at);

  /**
   * Returns a reader for the values of a page.
   *
   * @param dictionary null if the column has none
   */
  static PageValues of(
      PageParts page,
      ColumnDescriptor column,
      VectorElement element,
      @Nullable Dictionary dictionary) {
    boolean isPlain = page.encoding() == Encoding.PLAIN;
    return switch (element) {
      case INT, LONG, FLOAT, DOUBLE ->
          isPlain
              ? new PlainNumbers(onHeap(page.values()), element)
              : new SingleValues(PageBytes.reader(page, column, dictionary), element);
      case BYTES ->
          isPlain && column.getPrimitiveType().getTypeLength() == 0
              ? new PlainBytes(onHeap(page.values()))
              : new SingleValues(PageBytes.reader(page, column, dictionary), element);
      default -> new SingleValues(PageBytes.reader(page, column, dictionary), element);
    };
  }

  /** Returns a page's bytes in an array. */
  private static ByteBuffer onHeap(ByteBuffer page) {
    ByteBuffer bytes = page;
    if (!page.hasArray()) {
      bytes = ByteBuffer.allocate(page.remaining());
      bytes.put(page.duplicate()).flip();
    }
    return bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Numbers in PLAIN encoding, which vectors store in the same form. */
  record PlainNumbers(ByteBuffer page, VectorElement element) implements PageValues {
    @Override
    public void read(int count, WritableColumnVector target, int at) {
      long bytes = (long) count * element.width();
      if (bytes > page.remaining()) {
        throw new ParquetDecodingException("a page has too few values");
      }
      byte[] array = page.array();
      int from = page.arrayOffset() + page.position();
      switch (element) {
        case INT -> target.putIntsLittleEndian(at, count, array, from);
        case LONG -> target.putLongsLittleEndian(at, count, array, from);
        case FLOAT -> target.putFloatsLittleEndian(at, count, array, from);
        case DOUBLE -> target.putDoublesLittleEndian(at, count, array, from);
        default -> throw new AssertionError(element);
      }
      page.position(page.position() + (int) bytes);
    }
  }

  /** Strings or binary values in PLAIN encoding, each after its length. */
  record PlainBytes(ByteBuffer page) implements PageValues {
    @Override
    public void read(int count, WritableColumnVector target, int at) {
      byte[] array = page.array();
      for (int i = 0; i < count; i++) {
        int length = page.remaining() < Integer.BYTES ? -1 : page.getInt();
        if (length < 0 || length > page.remaining()) {
          throw new ParquetDecodingException("a page has too few values");
        }
        target.putByteArray(at + i, array, page.arrayOffset() + page.position(), length);
        page.position(page.position() + length);
      }
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.PageBytes;
import io.sparknd.parquet.PageParts;
import io.sparknd.table.internal.key.KeyCodec;
import io.sparknd.table.internal.key.KeyList;
import io.sparknd.table.internal.key.KeyType;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;
import org.jspecify.annotations.Nullable;

/** The values of a page of a key column, in order. */
interface KeyValues {
  /** A page without values. */
  KeyValues NONE =
      new KeyValues() {
        @Override
        public void skip(int count) {
          throw tooFew();
        }

        @Override
        public void append(KeyList keys) {
          throw tooFew();
        }
      };

  void skip(int count);

  /** Appends the next value to the key that is being written. */
  void append(KeyList keys);

  /**
   * Returns the values of a page.
   *
   * @param ordinal of the column in the key
   * @param dictionary null if the column has none
   */
  static KeyValues of(
      PageParts page,
      ColumnDescriptor column,
      KeyCodec codec,
      int ordinal,
      @Nullable Dictionary dictionary) {
    KeyType type = codec.columns().get(ordinal).type();
    if (type.hasBytes()) {
      return page.encoding() == Encoding.PLAIN
          ? new PlainBytes(page.values(), column.getPrimitiveType().getTypeLength(), codec, ordinal)
          : new Bytes(PageBytes.reader(page, column, dictionary), codec, ordinal);
    }
    boolean isInt = column.getPrimitiveType().getPrimitiveTypeName() == PrimitiveTypeName.INT32;
    return new Numbers(PageBytes.reader(page, column, dictionary), isInt, type == KeyType.LONG);
  }

  private static ParquetDecodingException tooFew() {
    return new ParquetDecodingException("a page has too few values");
  }

  /** Strings, binary values or UUIDs in PLAIN encoding: no object is made for a value. */
  final class PlainBytes implements KeyValues {
    private final byte[] bytes;
    private final ByteBuffer lengths;
    private final int end;
    private final int width;
    private final KeyCodec codec;
    private final int ordinal;
    private int at;

    /**
     * @param width bytes of each value; 0 if they have different lengths, which are stored before
     *     them
     */
    PlainBytes(ByteBuffer page, int width, KeyCodec codec, int ordinal) {
      ByteBuffer inHeap = page.hasArray() ? page : copy(page);
      this.bytes = inHeap.array();
      this.lengths = ByteBuffer.wrap(bytes).order(ByteOrder.LITTLE_ENDIAN);
      this.at = inHeap.arrayOffset() + inHeap.position();
      this.end = at + inHeap.remaining();
      this.width = width;
      this.codec = codec;
      this.ordinal = ordinal;
    }

    private static ByteBuffer copy(ByteBuffer page) {
      return ByteBuffer.allocate(page.remaining()).put(page.duplicate()).flip();
    }

    /** Moves to the next value and returns its length. */
    private int length() {
      int length = width;
      if (width == 0) {
        length = at > end - Integer.BYTES ? -1 : lengths.getInt(at);
        at += Integer.BYTES;
      }
      if (length < 0 || length > end - at) {
        throw tooFew();
      }
      return length;
    }

    @Override
    public void skip(int count) {
      for (int i = 0; i < count; i++) {
        int length = length(); // moves, too
        at += length;
      }
    }

    @Override
    public void append(KeyList keys) {
      int length = length();
      codec.writeBytes(bytes, at, length, ordinal, keys);
      at += length;
    }
  }

  /** Strings, binary values or UUIDs in any encoding. */
  record Bytes(ValuesReader values, KeyCodec codec, int ordinal) implements KeyValues {
    @Override
    public void skip(int count) {
      values.skip(count);
    }

    @Override
    public void append(KeyList keys) {
      byte[] value = values.readBytes().getBytesUnsafe();
      codec.writeBytes(value, 0, value.length, ordinal, keys);
    }
  }

  /** Integers, which files may store narrower than the key. */
  record Numbers(ValuesReader values, boolean isInt, boolean isLongKey) implements KeyValues {
    @Override
    public void skip(int count) {
      values.skip(count);
    }

    @Override
    public void append(KeyList keys) {
      long value = isInt ? values.readInteger() : values.readLong();
      if (isLongKey) {
        KeyCodec.writeLong(value, keys);
      } else {
        KeyCodec.writeInt((int) value, keys);
      }
    }
  }
}

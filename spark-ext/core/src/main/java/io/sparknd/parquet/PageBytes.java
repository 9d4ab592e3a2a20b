/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.ParquetDecodingException;
import org.jspecify.annotations.Nullable;

/** Decodes the values of a page of any encoding. */
public final class PageBytes {
  private PageBytes() {}

  /**
   * Returns fixed-width values in PLAIN encoding, little-endian, so that one codec reads all
   * encodings. Booleans are one byte each.
   *
   * @param dictionary null if the column has none
   */
  public static ByteBuffer of(
      PageParts page,
      ColumnDescriptor column,
      ElementCodec codec,
      @Nullable Dictionary dictionary) {
    ByteBuffer bytes =
        page.encoding() == Encoding.PLAIN
            ? plain(page, codec)
            : decoded(page, column, codec, dictionary);
    return bytes.order(ByteOrder.LITTLE_ENDIAN);
  }

  private static ByteBuffer plain(PageParts page, ElementCodec codec) {
    return codec instanceof ByteCodec
        ? BooleanPacking.unpack(page.values(), page.count())
        : page.values();
  }

  private static ByteBuffer decoded(
      PageParts page,
      ColumnDescriptor column,
      ElementCodec codec,
      @Nullable Dictionary dictionary) {
    ValuesReader reader = reader(page, column, dictionary);
    ByteBuffer plain =
        ByteBuffer.allocate(Math.multiplyExact(page.count(), codec.width()))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int i = 0; i < page.count(); i++) {
      switch (codec.physical()) {
        case BOOLEAN -> plain.put((byte) (reader.readBoolean() ? 1 : 0));
        case INT32 -> plain.putInt(reader.readInteger());
        case INT64 -> plain.putLong(reader.readLong());
        case FLOAT -> plain.putFloat(reader.readFloat());
        case DOUBLE -> plain.putDouble(reader.readDouble());
        default -> plain.put(reader.readBytes().toByteBuffer());
      }
    }
    return plain.flip();
  }

  /** Returns the values of a dictionary in PLAIN encoding, little-endian, in the order of ids. */
  public static ByteBuffer of(Dictionary dictionary, ElementCodec codec) {
    int count = dictionary.getMaxId() + 1;
    ByteBuffer plain =
        ByteBuffer.allocate(Math.multiplyExact(count, codec.width()))
            .order(ByteOrder.LITTLE_ENDIAN);
    for (int id = 0; id < count; id++) {
      switch (codec.physical()) {
        case INT32 -> plain.putInt(dictionary.decodeToInt(id));
        case INT64 -> plain.putLong(dictionary.decodeToLong(id));
        case FLOAT -> plain.putFloat(dictionary.decodeToFloat(id));
        case DOUBLE -> plain.putDouble(dictionary.decodeToDouble(id));
        default -> plain.put(dictionary.decodeToBinary(id).toByteBuffer());
      }
    }
    return plain.flip();
  }

  /** Returns a reader for the values one by one. */
  public static ValuesReader reader(
      PageParts page, ColumnDescriptor column, @Nullable Dictionary dictionary) {
    Encoding encoding = page.encoding();
    if (encoding.usesDictionary() && dictionary == null) {
      throw new ParquetDecodingException("a page of " + column + " misses its dictionary");
    }
    ValuesReader reader =
        encoding.usesDictionary()
            ? encoding.getDictionaryBasedValuesReader(column, ValuesType.VALUES, dictionary)
            : encoding.getValuesReader(column, ValuesType.VALUES);
    try {
      reader.initFromPage(page.count(), ByteBufferInputStream.wrap(page.values()));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return reader;
  }

  /** Reads the dictionary of a column in a row group; null if it has none. */
  public static @Nullable Dictionary dictionary(PageReader pages, ColumnDescriptor column) {
    DictionaryPage page = pages.readDictionaryPage();
    try {
      return page == null ? null : page.getEncoding().initDictionary(column, page);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

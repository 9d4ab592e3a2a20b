/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.apache.parquet.bytes.ByteBufferInputStream;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Dictionary;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.ValuesType;
import org.apache.parquet.column.values.ValuesReader;
import org.apache.parquet.io.ParquetDecodingException;

/** The values of a page, one after the other. */
interface PageValues {

  void skip(int count);

  /**
   * Reads {@code count} values to every {@code stride}th unit of {@code target} from {@code at} on.
   *
   * @throws BadElement if one of them is no value of the dtype
   */
  void read(int count, Object target, int at, int stride);

  /**
   * @param dictionary null if the column has none
   */
  static PageValues of(PageParts page, Leaf leaf, Dictionary dictionary) {
    boolean plain = page.encoding() == Encoding.PLAIN;
    if (leaf.kind() instanceof ValueKind.Fixed fixed) {
      ByteBuffer bytes =
          plain ? plain(page, fixed.codec()) : decoded(page, leaf, fixed.codec(), dictionary);
      return new FixedValues(bytes.order(ByteOrder.LITTLE_ENDIAN), fixed.codec());
    }
    if (leaf.kind() instanceof ValueKind.Slice slice) {
      return plain
          ? new PlainSlices(page.values(), slice)
          : new EncodedSlices(reader(page, leaf.column(), dictionary), slice);
    }
    return new Texts(reader(page, leaf.column(), dictionary));
  }

  private static ByteBuffer plain(PageParts page, ElementCodec codec) {
    return codec instanceof Bytes ? Bits.unpack(page.values(), page.count()) : page.values();
  }

  /** The values as a PLAIN page would have them, so that one decoder does for all encodings. */
  private static ByteBuffer decoded(
      PageParts page, Leaf leaf, ElementCodec codec, Dictionary dictionary) {
    ValuesReader reader = reader(page, leaf.column(), dictionary);
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

  private static ValuesReader reader(
      PageParts page, ColumnDescriptor column, Dictionary dictionary) {
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
}

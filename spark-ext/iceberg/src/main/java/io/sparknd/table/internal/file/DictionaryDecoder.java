/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import io.sparknd.parquet.DictionaryIds;
import io.sparknd.parquet.ElementCodec;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Objects;

/** Reads fixed-width values of a page of dictionary ids; skipped ids are not decoded. */
final class DictionaryDecoder implements PageDecoder {
  private final DictionaryIds ids;
  private final ByteBuffer dictionary;
  private final ElementCodec codec;
  private final int size;
  private ByteBuffer values = ByteBuffer.allocate(0);
  private long next;

  /**
   * @param dictionary the values of all ids in PLAIN encoding, little-endian
   */
  DictionaryDecoder(DictionaryIds ids, ByteBuffer dictionary, ElementCodec codec) {
    this.ids = ids;
    this.dictionary = dictionary;
    this.codec = codec;
    this.size = dictionary.limit() / codec.width();
  }

  @Override
  public void skip(int count) {
    next += count;
  }

  @Override
  public void read(int count, Object target, int at, int stride) {
    int width = codec.width();
    int length = Math.multiplyExact(count, width);
    if (values.capacity() < length) {
      values = ByteBuffer.allocate(length).order(ByteOrder.LITTLE_ENDIAN);
    }
    values.clear();
    for (int i = 0; i < count; i++) {
      copy((int) Objects.checkIndex(ids.id(next++), (long) size) * width, i * width, width);
    }
    codec.read(values.limit(length), count, target, at, stride);
  }

  private void copy(int from, int to, int width) {
    if (width == Long.BYTES) {
      values.putLong(to, dictionary.getLong(from));
    } else if (width == Integer.BYTES) {
      values.putInt(to, dictionary.getInt(from));
    } else {
      values.put(to, dictionary, from, width);
    }
  }
}

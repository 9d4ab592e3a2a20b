/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of uint32, stored as INT64. */
final class UnsignedIntCodec implements ElementCodec {
  @Override
  public PrimitiveTypeName physical() {
    return PrimitiveTypeName.INT64;
  }

  @Override
  public int width() {
    return Long.BYTES;
  }

  @Override
  public void read(ByteBuffer page, int count, Object target, int at, int stride) {
    int[] units = (int[]) target;
    for (int i = 0; i < count; i++) {
      long value = page.getLong();
      if (value >>> Integer.SIZE != 0) {
        throw new InvalidElementException(i, value);
      }
      units[at + i * stride] = (int) value;
    }
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    int[] units = (int[]) source;
    for (int i = 0; i < count; i++) {
      page.putLong(Integer.toUnsignedLong(units[from + i * stride]));
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of 8-bit and 16-bit integers, which Iceberg stores as 32-bit integers. */
record NarrowIntCodec(int least, int most) implements ElementCodec {
  @Override
  public PrimitiveTypeName physical() {
    return PrimitiveTypeName.INT32;
  }

  @Override
  public int width() {
    return Integer.BYTES;
  }

  @Override
  public void read(ByteBuffer page, int count, Object target, int at, int stride) {
    if (target instanceof byte[] bytes) {
      for (int i = 0; i < count; i++) {
        bytes[at + i * stride] = (byte) checked(page.getInt(), i);
      }
      return;
    }
    short[] shorts = (short[]) target;
    for (int i = 0; i < count; i++) {
      shorts[at + i * stride] = (short) checked(page.getInt(), i);
    }
  }

  private int checked(int value, int position) {
    if (value < least || value > most) {
      throw new InvalidElementException(position, value);
    }
    return value;
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    // clears the sign extension of unsigned values
    int mask = least < 0 ? -1 : most;
    if (source instanceof byte[] bytes) {
      for (int i = 0; i < count; i++) {
        page.putInt(bytes[from + i * stride] & mask);
      }
      return;
    }
    short[] shorts = (short[]) source;
    for (int i = 0; i < count; i++) {
      page.putInt(shorts[from + i * stride] & mask);
    }
  }
}

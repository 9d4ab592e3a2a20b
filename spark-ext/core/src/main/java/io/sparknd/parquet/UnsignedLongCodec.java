/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.math.BigInteger;
import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of uint64, stored as a decimal of 20 digits: nine bytes, big-endian. */
public final class UnsignedLongCodec implements ElementCodec {
  /** The bytes of a decimal of 20 digits. */
  public static final int BYTES = 9;

  @Override
  public PrimitiveTypeName physical() {
    return PrimitiveTypeName.FIXED_LEN_BYTE_ARRAY;
  }

  @Override
  public int width() {
    return BYTES;
  }

  @Override
  public void read(ByteBuffer page, int count, Object target, int at, int stride) {
    long[] units = (long[]) target;
    for (int i = 0; i < count; i++) {
      byte top = page.get();
      long value = Long.reverseBytes(page.getLong());
      if (top != 0) {
        throw new InvalidElementException(
            i, BigInteger.valueOf(top).shiftLeft(Long.SIZE).or(low(value)));
      }
      units[at + i * stride] = value;
    }
  }

  private static BigInteger low(long bits) {
    return new BigInteger(Long.toUnsignedString(bits));
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    long[] units = (long[]) source;
    for (int i = 0; i < count; i++) {
      page.put((byte) 0);
      page.putLong(Long.reverseBytes(units[from + i * stride]));
    }
  }
}

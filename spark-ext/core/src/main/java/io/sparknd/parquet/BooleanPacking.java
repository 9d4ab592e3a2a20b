/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;

/** Packs and unpacks booleans as in PLAIN pages: eight a byte, the first in the lowest bit. */
public final class BooleanPacking {
  private BooleanPacking() {}

  /** Unpacks {@code count} booleans to one byte each, 0 or 1. */
  public static ByteBuffer unpack(ByteBuffer bits, int count) {
    byte[] bytes = new byte[count];
    int start = bits.position();
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (bits.get(start + (i >>> 3)) >>> (i & 7) & 1);
    }
    return ByteBuffer.wrap(bytes);
  }

  /** Packs the first {@code count} bytes of {@code bytes}, each 0 or 1. */
  public static byte[] pack(byte[] bytes, int count) {
    byte[] bits = new byte[(count + 7) >>> 3];
    for (int i = 0; i < count; i++) {
      bits[i >>> 3] |= (byte) (bytes[i] << (i & 7));
    }
    return bits;
  }
}

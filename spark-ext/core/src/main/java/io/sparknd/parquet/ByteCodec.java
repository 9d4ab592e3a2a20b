/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of bool, one byte each; {@link BooleanPacking} packs them to bits. */
public final class ByteCodec implements ElementCodec {
  @Override
  public PrimitiveTypeName physical() {
    return PrimitiveTypeName.BOOLEAN;
  }

  @Override
  public int width() {
    return Byte.BYTES;
  }

  @Override
  public void read(ByteBuffer page, int count, Object target, int at, int stride) {
    byte[] units = (byte[]) target;
    for (int i = 0; i < count; i++) {
      units[at + i * stride] = page.get();
    }
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    byte[] units = (byte[]) source;
    for (int i = 0; i < count; i++) {
      page.put(units[from + i * stride] == 0 ? (byte) 0 : 1);
    }
  }
}

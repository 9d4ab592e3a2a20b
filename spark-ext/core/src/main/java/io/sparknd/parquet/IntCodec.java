/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of int32. */
final class IntCodec implements ElementCodec {
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
    int[] units = (int[]) target;
    if (stride == 1) {
      page.asIntBuffer().get(units, at, count);
      page.position(page.position() + count * Integer.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      units[at + i * stride] = page.getInt();
    }
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    int[] units = (int[]) source;
    if (stride == 1) {
      page.asIntBuffer().put(units, from, count);
      page.position(page.position() + count * Integer.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      page.putInt(units[from + i * stride]);
    }
  }
}

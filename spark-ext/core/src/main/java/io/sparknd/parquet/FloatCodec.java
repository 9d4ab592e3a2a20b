/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of float32 and of the parts of complex64. */
final class FloatCodec implements ElementCodec {
  @Override
  public PrimitiveTypeName physical() {
    return PrimitiveTypeName.FLOAT;
  }

  @Override
  public int width() {
    return Float.BYTES;
  }

  @Override
  public void read(ByteBuffer page, int count, Object target, int at, int stride) {
    float[] units = (float[]) target;
    if (stride == 1) {
      page.asFloatBuffer().get(units, at, count);
      page.position(page.position() + count * Float.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      units[at + i * stride] = page.getFloat();
    }
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    float[] units = (float[]) source;
    if (stride == 1) {
      page.asFloatBuffer().put(units, from, count);
      page.position(page.position() + count * Float.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      page.putFloat(units[from + i * stride]);
    }
  }
}

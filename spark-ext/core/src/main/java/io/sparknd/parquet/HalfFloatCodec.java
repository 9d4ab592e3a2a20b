/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of float16 and bfloat16, stored as the float32 of the same value. */
record HalfFloatCodec(DType dtype) implements ElementCodec {
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
    short[] units = (short[]) target;
    for (int i = 0; i < count; i++) {
      float value = page.getFloat();
      short half = narrowed(value);
      if (widened(half) != value && !Float.isNaN(value)) {
        throw new InvalidElementException(i, value);
      }
      units[at + i * stride] = half;
    }
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    short[] units = (short[]) source;
    for (int i = 0; i < count; i++) {
      page.putFloat(widened(units[from + i * stride]));
    }
  }

  private short narrowed(float value) {
    return dtype == DType.FLOAT16 ? HalfFloats.toFloat16(value) : HalfFloats.toBfloat16(value);
  }

  private float widened(short half) {
    return dtype == DType.FLOAT16 ? HalfFloats.fromFloat16(half) : HalfFloats.fromBfloat16(half);
  }
}

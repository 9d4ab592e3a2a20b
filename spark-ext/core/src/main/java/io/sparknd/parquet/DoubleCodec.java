/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of float64 and of the parts of complex128. */
final class DoubleCodec implements ElementCodec {
  @Override
  public PrimitiveTypeName physical() {
    return PrimitiveTypeName.DOUBLE;
  }

  @Override
  public int width() {
    return Double.BYTES;
  }

  @Override
  public void read(ByteBuffer page, int count, Object target, int at, int stride) {
    double[] units = (double[]) target;
    if (stride == 1) {
      page.asDoubleBuffer().get(units, at, count);
      page.position(page.position() + count * Double.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      units[at + i * stride] = page.getDouble();
    }
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    double[] units = (double[]) source;
    if (stride == 1) {
      page.asDoubleBuffer().put(units, from, count);
      page.position(page.position() + count * Double.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      page.putDouble(units[from + i * stride]);
    }
  }
}

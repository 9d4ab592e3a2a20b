/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/** Codec of int64 and of index columns. */
public final class LongCodec implements ElementCodec {
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
    long[] units = (long[]) target;
    if (stride == 1) {
      page.asLongBuffer().get(units, at, count);
      page.position(page.position() + count * Long.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      units[at + i * stride] = page.getLong();
    }
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    long[] units = (long[]) source;
    if (stride == 1) {
      page.asLongBuffer().put(units, from, count);
      page.position(page.position() + count * Long.BYTES);
      return;
    }
    for (int i = 0; i < count; i++) {
      page.putLong(units[from + i * stride]);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Codecs of columns whose type was promoted after files were written: Iceberg's spec has readers
 * promote the values of such files. Nothing is written with them.
 */
enum PromotionCodec implements ElementCodec {
  INT_TO_LONG(PrimitiveTypeName.INT32) {
    @Override
    public void read(ByteBuffer page, int count, Object target, int at, int stride) {
      long[] units = (long[]) target;
      for (int i = 0; i < count; i++) {
        units[at + i * stride] = page.getInt();
      }
    }
  },

  FLOAT_TO_DOUBLE(PrimitiveTypeName.FLOAT) {
    @Override
    public void read(ByteBuffer page, int count, Object target, int at, int stride) {
      double[] units = (double[]) target;
      for (int i = 0; i < count; i++) {
        units[at + i * stride] = page.getFloat();
      }
    }
  };

  private final PrimitiveTypeName physical;

  PromotionCodec(PrimitiveTypeName physical) {
    this.physical = physical;
  }

  @Override
  public PrimitiveTypeName physical() {
    return physical;
  }

  @Override
  public int width() {
    return Integer.BYTES;
  }

  @Override
  public void write(Object source, int from, int stride, int count, ByteBuffer page) {
    throw new UnsupportedOperationException(this + " only reads");
  }
}

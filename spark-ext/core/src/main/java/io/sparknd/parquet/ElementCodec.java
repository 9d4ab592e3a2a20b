/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.parquet;

import io.sparknd.tensor.DType;
import java.nio.ByteBuffer;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * Converts fixed-width elements between Parquet's PLAIN encoding, little-endian, and array units. A
 * part of a complex number counts as an element. Booleans are one byte each.
 */
public interface ElementCodec {

  /** The column's physical type in Parquet. */
  PrimitiveTypeName physical();

  /** The bytes of one element in a page. */
  int width();

  /**
   * Reads {@code count} elements from the position of {@code page} into every {@code stride}th unit
   * of {@code target} from {@code at} on.
   *
   * @throws InvalidElementException if one of them is not a value of the dtype
   */
  void read(ByteBuffer page, int count, Object target, int at, int stride);

  /**
   * Appends {@code count} units of {@code source} from {@code from} on, {@code stride} apart, to
   * {@code page}.
   */
  void write(Object source, int from, int stride, int count, ByteBuffer page);

  /** Returns the codec of a dtype's elements or, if complex, of their parts; not for strings. */
  static ElementCodec of(DType dtype) {
    return switch (dtype) {
      case BOOL -> new ByteCodec();
      case INT8 -> new NarrowIntCodec(Byte.MIN_VALUE, Byte.MAX_VALUE);
      case UINT8 -> new NarrowIntCodec(0, 0xff);
      case INT16 -> new NarrowIntCodec(Short.MIN_VALUE, Short.MAX_VALUE);
      case UINT16 -> new NarrowIntCodec(0, 0xffff);
      case INT32 -> new IntCodec();
      case UINT32 -> new UnsignedIntCodec();
      case INT64 -> new LongCodec();
      case UINT64 -> new UnsignedLongCodec();
      case FLOAT16, BFLOAT16 -> new HalfFloatCodec(dtype);
      case FLOAT32, COMPLEX64 -> new FloatCodec();
      case FLOAT64, COMPLEX128 -> new DoubleCodec();
      case STRING -> throw new IllegalArgumentException("strings have no fixed width");
    };
  }

  /**
   * Returns the codec that reads the elements of {@code codec} from a file whose column has the
   * physical type {@code stored}: another one if Iceberg promotes that type, else {@code codec}.
   */
  static ElementCodec reading(ElementCodec codec, PrimitiveTypeName stored) {
    if (codec instanceof LongCodec && stored == PrimitiveTypeName.INT32) {
      return PromotionCodec.INT_TO_LONG;
    }
    return codec instanceof DoubleCodec && stored == PrimitiveTypeName.FLOAT
        ? PromotionCodec.FLOAT_TO_DOUBLE
        : codec;
  }
}

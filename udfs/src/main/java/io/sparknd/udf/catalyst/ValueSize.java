/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.udf.UdfErrors;
import org.apache.spark.unsafe.array.ByteArrayMethods;

/** The bytes that nested arrays take as the value of a row, which Spark keeps in one Java array. */
final class ValueSize {
  private static final long LIMIT = ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH;

  private ValueSize() {}

  /** The bytes; {@code Long.MAX_VALUE} if they pass the limit. */
  static long of(DType dtype, Shape shape) {
    if (shape.rank() == 0) {
      return width(dtype);
    }
    long bytes = PackedLayout.bytes(width(dtype), shape.dims());
    return bytes < 0 || bytes > LIMIT ? Long.MAX_VALUE : bytes;
  }

  /** Of a string, that is its place; the characters come on top. */
  private static int width(DType dtype) {
    return dtype == DType.STRING ? Long.BYTES : dtype.bytes();
  }

  /**
   * @throws io.sparknd.tensor.SparkNdException if a value of {@code shape} fits no row
   */
  static void check(DType dtype, Shape shape) {
    if (of(dtype, shape) > LIMIT) {
      throw UdfErrors.tooLargeForRow(shape, width(dtype), LIMIT);
    }
  }
}

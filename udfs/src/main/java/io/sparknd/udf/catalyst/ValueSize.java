/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.udf.UdfErrors;
import org.apache.spark.unsafe.array.ByteArrayMethods;

/** Computes the size of nested arrays as a value of a row, which Spark stores in one Java array. */
final class ValueSize {
  private static final long LIMIT = ByteArrayMethods.MAX_ROUNDED_ARRAY_LENGTH;

  private ValueSize() {}

  /** Returns the size in bytes; {@code Long.MAX_VALUE} if it exceeds the limit. */
  static long of(DType dtype, Shape shape) {
    if (shape.rank() == 0) {
      return width(dtype);
    }
    long bytes = PackedLayout.bytes(width(dtype), shape.dims());
    return bytes < 0 || bytes > LIMIT ? Long.MAX_VALUE : bytes;
  }

  /** Returns the bytes per element; for a string those of its reference, without the characters. */
  private static int width(DType dtype) {
    return dtype == DType.STRING ? Long.BYTES : dtype.bytes();
  }

  /**
   * Checks the size.
   *
   * @throws io.sparknd.tensor.SparkNdException if a value of {@code shape} does not fit in a row
   */
  static void check(DType dtype, Shape shape) {
    if (of(dtype, shape) > LIMIT) {
      throw UdfErrors.tooLargeForRow(shape, width(dtype), LIMIT);
    }
  }
}

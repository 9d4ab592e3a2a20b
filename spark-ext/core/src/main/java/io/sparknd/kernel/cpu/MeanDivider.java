/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.op.OperatorErrors;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;

/** Divides sums by their counts at the end of a mean, as PyTorch's {@code scatter_reduce}. */
public final class MeanDivider {
  private MeanDivider() {}

  /**
   * Divides one slice in place. Signed integers divide toward negative infinity; complex elements
   * divide part by part. Means of float16 and bfloat16 are divided as float32.
   *
   * @param block an array of the dtype's storage
   * @param position first unit of the slice in {@code block}
   * @param units length of the slice in units of the storage, at least 1
   * @param count number of values in each sum, at least 1
   * @throws io.sparknd.tensor.SparkNdException if the dtype is bool or string
   * @throws IllegalArgumentException if the dtype is float16 or bfloat16
   */
  public static void divide(DType dtype, Object block, int position, int units, long count) {
    int end = position + units;
    switch (dtype) {
      case INT8 -> int8((byte[]) block, position, end, count);
      case UINT8 -> uint8((byte[]) block, position, end, count);
      case INT16 -> int16((short[]) block, position, end, count);
      case UINT16 -> uint16((short[]) block, position, end, count);
      case INT32 -> int32((int[]) block, position, end, count);
      case UINT32 -> uint32((int[]) block, position, end, count);
      case INT64 -> int64((long[]) block, position, end, count);
      case UINT64 -> uint64((long[]) block, position, end, count);
      case FLOAT16, BFLOAT16 -> throw new IllegalArgumentException(dtype.toString());
      case FLOAT32, COMPLEX64 -> float32((float[]) block, position, end, count);
      case FLOAT64, COMPLEX128 -> float64((double[]) block, position, end, count);
      case BOOL, STRING ->
          throw OperatorErrors.reductionNotDefined(
              Reduction.MEAN, dtype, Reduction.definedFor(dtype));
    }
  }

  private static void int8(byte[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] = (byte) Math.floorDiv(block[i], count);
    }
  }

  private static void uint8(byte[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] = (byte) (Byte.toUnsignedLong(block[i]) / count);
    }
  }

  private static void int16(short[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] = (short) Math.floorDiv(block[i], count);
    }
  }

  private static void uint16(short[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] = (short) (Short.toUnsignedLong(block[i]) / count);
    }
  }

  private static void int32(int[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] = (int) Math.floorDiv(block[i], count);
    }
  }

  private static void uint32(int[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] = (int) (Integer.toUnsignedLong(block[i]) / count);
    }
  }

  private static void int64(long[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] = Math.floorDiv(block[i], count);
    }
  }

  private static void uint64(long[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] = Long.divideUnsigned(block[i], count);
    }
  }

  private static void float32(float[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] /= count;
    }
  }

  private static void float64(double[] block, int from, int to, long count) {
    for (int i = from; i < to; i++) {
      block[i] /= count;
    }
  }
}

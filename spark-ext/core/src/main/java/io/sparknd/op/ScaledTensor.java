/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import io.sparknd.tensor.TensorErrors;
import java.math.BigDecimal;

/** Multiplies a tensor by a number in the arithmetic of the tensor's dtype. */
final class ScaledTensor {
  private ScaledTensor() {}

  /**
   * Returns {@code tensor * factor}, or the tensor itself for a factor of 1. Integers wrap; float16
   * and bfloat16 multiply in float32 and round; complex elements scale part by part.
   *
   * @throws io.sparknd.tensor.SparkNdException if {@code factor} is not a value of the dtype, or
   *     the dtype is bool or string and the factor is not 1
   */
  static Tensor of(Tensor tensor, Number factor) {
    if (isOne(factor)) {
      return tensor;
    }
    DType dtype = tensor.dtype();
    if (dtype.kind() == DType.Kind.BOOL || dtype.kind() == DType.Kind.STRING) {
      throw OperatorErrors.alphaDoesNotApply(factor, dtype);
    }
    Tensor scaled = tensor.copy();
    Object one = one(dtype, factor).array();
    switch (dtype) {
      case FLOAT16 -> float16((short[]) scaled.array(), ((short[]) one)[0]);
      case BFLOAT16 -> bfloat16((short[]) scaled.array(), ((short[]) one)[0]);
      default -> scale(scaled.array(), one);
    }
    return scaled;
  }

  private static boolean isOne(Number factor) {
    return factor instanceof BigDecimal exact
        ? exact.compareTo(BigDecimal.ONE) == 0
        : factor.doubleValue() == 1;
  }

  /** Returns the factor as a scalar, which must not become infinite. */
  private static Tensor one(DType dtype, Number factor) {
    Tensor one = Tensor.fill(dtype, Shape.of(), factor);
    boolean isGivenSo =
        (factor instanceof Float || factor instanceof Double)
            && Double.isInfinite(factor.doubleValue());
    Object element = one.element(0);
    Number real = element instanceof Complex complex ? complex.real() : (Number) element;
    if (!isGivenSo && Double.isInfinite(real.doubleValue())) {
      throw TensorErrors.valueDoesNotFit(factor, dtype);
    }
    return one;
  }

  private static void scale(Object array, Object factor) {
    if (array instanceof byte[] bytes) {
      bytes(bytes, ((byte[]) factor)[0]);
    } else if (array instanceof short[] shorts) {
      shorts(shorts, ((short[]) factor)[0]);
    } else if (array instanceof int[] ints) {
      ints(ints, ((int[]) factor)[0]);
    } else if (array instanceof long[] longs) {
      longs(longs, ((long[]) factor)[0]);
    } else if (array instanceof float[] floats) {
      floats(floats, ((float[]) factor)[0]);
    } else {
      doubles((double[]) array, ((double[]) factor)[0]);
    }
  }

  private static void bytes(byte[] array, byte factor) {
    for (int i = 0; i < array.length; i++) {
      array[i] = (byte) (array[i] * factor);
    }
  }

  private static void shorts(short[] array, short factor) {
    for (int i = 0; i < array.length; i++) {
      array[i] = (short) (array[i] * factor);
    }
  }

  private static void ints(int[] array, int factor) {
    for (int i = 0; i < array.length; i++) {
      array[i] *= factor;
    }
  }

  private static void longs(long[] array, long factor) {
    for (int i = 0; i < array.length; i++) {
      array[i] *= factor;
    }
  }

  private static void floats(float[] array, float factor) {
    for (int i = 0; i < array.length; i++) {
      array[i] *= factor;
    }
  }

  private static void doubles(double[] array, double factor) {
    for (int i = 0; i < array.length; i++) {
      array[i] *= factor;
    }
  }

  private static void float16(short[] array, short factor) {
    float wide = HalfFloats.fromFloat16(factor);
    for (int i = 0; i < array.length; i++) {
      array[i] = HalfFloats.toFloat16(HalfFloats.fromFloat16(array[i]) * wide);
    }
  }

  private static void bfloat16(short[] array, short factor) {
    float wide = HalfFloats.fromBfloat16(factor);
    for (int i = 0; i < array.length; i++) {
      array[i] = HalfFloats.toBfloat16(HalfFloats.fromBfloat16(array[i]) * wide);
    }
  }
}

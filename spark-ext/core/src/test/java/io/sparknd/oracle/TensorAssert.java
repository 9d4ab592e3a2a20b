/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/** Compares tensors element by element. All NaNs are equal; -0.0 differs from 0.0. */
public final class TensorAssert {
  private TensorAssert() {}

  /** Fails unless dtype, shape and all elements are equal. */
  public static void assertSame(Tensor actual, Tensor expected) {
    assertThat(actual.dtype()).isEqualTo(expected.dtype());
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(elements(actual)).isEqualTo(elements(expected));
  }

  /** Fails unless dtype, shape and all bits are equal, including those of NaNs. */
  public static void assertSameBits(Tensor actual, Tensor expected) {
    assertThat(actual.dtype()).isEqualTo(expected.dtype());
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(bits(actual.array())).isEqualTo(bits(expected.array()));
  }

  /**
   * Returns a copy in which signalling NaNs of half floats are quiet, and those of complex64, whose
   * elements are of float64 as Java objects; others are returned as they are.
   */
  public static Tensor quiet(Tensor tensor) {
    if (tensor.dtype() != DType.COMPLEX64) {
      return quietHalves(tensor);
    }
    float[] parts = ((float[]) tensor.array()).clone();
    for (int i = 0; i < parts.length; i++) {
      parts[i] = quiet(parts[i]);
    }
    return Tensor.wrap(tensor.dtype(), tensor.shape(), parts);
  }

  /**
   * Returns a copy in which signalling NaNs of half floats are quiet, as a conversion to float32
   * and back leaves them; others are returned as they are.
   */
  public static Tensor quietHalves(Tensor tensor) {
    boolean isFloat16 = tensor.dtype() == DType.FLOAT16;
    if (!isFloat16 && tensor.dtype() != DType.BFLOAT16) {
      return tensor;
    }
    short[] quiet = ((short[]) tensor.array()).clone();
    for (int i = 0; i < quiet.length; i++) {
      quiet[i] =
          isFloat16
              ? HalfFloats.toFloat16(HalfFloats.fromFloat16(quiet[i]))
              : HalfFloats.toBfloat16(HalfFloats.fromBfloat16(quiet[i]));
    }
    return Tensor.wrap(tensor.dtype(), tensor.shape(), quiet);
  }

  private static float quiet(float value) {
    int quietBit = 1 << 22;
    return Float.isNaN(value)
        ? Float.intBitsToFloat(Float.floatToRawIntBits(value) | quietBit)
        : value;
  }

  private static Object bits(Object array) {
    if (array instanceof float[] floats) {
      return IntStream.range(0, floats.length)
          .map(i -> Float.floatToRawIntBits(floats[i]))
          .toArray();
    }
    if (array instanceof double[] doubles) {
      return IntStream.range(0, doubles.length)
          .mapToLong(i -> Double.doubleToRawLongBits(doubles[i]))
          .toArray();
    }
    return array;
  }

  /** Returns all elements, row-major, as {@link Tensor#element} returns them. */
  public static List<Object> elements(Tensor tensor) {
    return IntStream.range(0, tensor.elements()).mapToObj(tensor::element).toList();
  }
}

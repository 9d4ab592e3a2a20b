/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.stream.IntStream;

/** Tensors compared element by element: any NaN is every other, -0.0 is not 0.0. */
public final class TensorAssert {
  private TensorAssert() {}

  /** Fails unless dtype, shape and every element are the same. */
  public static void assertSame(Tensor actual, Tensor expected) {
    assertThat(actual.dtype()).isEqualTo(expected.dtype());
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(elements(actual)).isEqualTo(elements(expected));
  }

  /** Fails unless dtype, shape and every bit are the same, those of NaNs too. */
  public static void assertSameBits(Tensor actual, Tensor expected) {
    assertThat(actual.dtype()).isEqualTo(expected.dtype());
    assertThat(actual.shape()).isEqualTo(expected.shape());
    assertThat(bits(actual.array())).isEqualTo(bits(expected.array()));
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

  /** All elements, row-major, as {@link Tensor#element} shows them. */
  public static List<Object> elements(Tensor tensor) {
    return IntStream.range(0, tensor.elements()).mapToObj(tensor::element).toList();
  }
}

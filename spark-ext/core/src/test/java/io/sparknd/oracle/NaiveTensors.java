/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import io.sparknd.tensor.Complex;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.lang.reflect.Array;
import java.util.List;

/** Creates tensors from boxed elements, the inverse of {@link Tensor#element}. */
public final class NaiveTensors {
  private NaiveTensors() {}

  /** Returns a tensor of these elements, in the form that {@link Tensor#element} returns. */
  public static Tensor of(DType dtype, long[] dims, List<?> elements) {
    Object array = dtype.storage().allocate(elements.size() * dtype.units());
    for (int i = 0; i < elements.size(); i++) {
      put(dtype, array, i, elements.get(i));
    }
    return Tensor.wrap(dtype, Shape.of(dims), array);
  }

  private static void put(DType dtype, Object array, int i, Object element) {
    switch (dtype) {
      case BOOL -> Array.setByte(array, i, (byte) ((Boolean) element ? 1 : 0));
      case INT8, UINT8 -> Array.setByte(array, i, NaiveArithmetic.big(element).byteValue());
      case INT16, UINT16 -> Array.setShort(array, i, NaiveArithmetic.big(element).shortValue());
      case INT32, UINT32 -> Array.setInt(array, i, NaiveArithmetic.big(element).intValue());
      case INT64, UINT64 -> Array.setLong(array, i, NaiveArithmetic.big(element).longValue());
      case FLOAT16 -> Array.setShort(array, i, NaiveArithmetic.Half.FLOAT16.bits((Float) element));
      case BFLOAT16 ->
          Array.setShort(array, i, NaiveArithmetic.Half.BFLOAT16.bits((Float) element));
      case FLOAT32 -> Array.setFloat(array, i, (Float) element);
      case FLOAT64 -> Array.setDouble(array, i, (Double) element);
      case COMPLEX64, COMPLEX128 -> complex(dtype, array, 2 * i, (Complex) element);
      case STRING -> Array.set(array, i, element);
    }
  }

  private static void complex(DType dtype, Object array, int at, Complex element) {
    if (dtype == DType.COMPLEX64) {
      Array.setFloat(array, at, (float) element.real());
      Array.setFloat(array, at + 1, (float) element.imaginary());
    } else {
      Array.setDouble(array, at, element.real());
      Array.setDouble(array, at + 1, element.imaginary());
    }
  }
}

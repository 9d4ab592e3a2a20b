/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.layout;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/** Arrays of one value. */
public final class ConstantArrays {
  private ConstantArrays() {}

  /** {@code elements} elements of {@code value}; of zero, false or "" where it is null. */
  public static Object array(DType dtype, Object value, int elements) {
    Shape shape = Shape.of(elements);
    Tensor filled = value == null ? Tensor.zeros(dtype, shape) : Tensor.fill(dtype, shape, value);
    return filled.array();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import org.jspecify.annotations.Nullable;

/** Creates arrays of one repeated value. */
public final class ConstantArrays {
  private ConstantArrays() {}

  /** Returns {@code elements} elements of {@code value}; of zero, false or "" if it is null. */
  public static Object array(DType dtype, @Nullable Object value, int elements) {
    Shape shape = Shape.of(elements);
    Tensor filled = value == null ? Tensor.zeros(dtype, shape) : Tensor.fill(dtype, shape, value);
    return filled.array();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.demo;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;

/**
 * A tensor of one value.
 *
 * @param value as for {@link Tensor#fill}
 */
record ConstantTensor(DType dtype, Shape shape, Object value) {
  Tensor local() {
    return Tensor.fill(dtype, shape, value);
  }
}

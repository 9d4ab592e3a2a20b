/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;

/**
 * A tensor with elements, whose array has more in it than them. A run is its last dimension; there
 * are no more of them than {@link io.sparknd.kernel.Addresses#CAPACITY}.
 *
 * @param array of the dtype's storage
 */
public record RunTensor(DType dtype, Shape shape, Object array, Runs runs) {}

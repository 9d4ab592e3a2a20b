/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;

/**
 * A tensor with elements, whose array has more in it than them. A run is its last dimension; there
 * are no more of them than {@link io.sparknd.kernel.SliceAddresses#CAPACITY}.
 *
 * @param unit the dtype of the elements; int8 where the array has their bytes
 * @param array of the unit's storage
 * @param first where the runs are counted from, in units of the array; 0 unless it has bytes
 */
public record RunTensor(DType unit, Shape shape, Object array, int first, SlotRuns runs) {}

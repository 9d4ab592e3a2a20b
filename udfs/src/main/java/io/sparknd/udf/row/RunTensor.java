/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;

/**
 * A non-empty tensor whose array also holds other data, such as array headers. A run is the
 * tensor's last dimension; there are at most {@link io.sparknd.kernel.spi.SliceAddresses#CAPACITY}
 * runs.
 *
 * @param unit the dtype of the elements; int8 if the array holds their bytes
 * @param array of the unit's storage
 * @param first position from which runs are counted, in units of the array; 0 unless the units are
 *     bytes
 */
public record RunTensor(DType unit, Shape shape, Object array, int first, ElementRuns runs) {}

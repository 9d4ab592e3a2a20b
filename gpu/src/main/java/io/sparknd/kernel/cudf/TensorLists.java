/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.tensor.DType;

/**
 * A column of tensors, one a row, as lists in the memory of a device, nested as deep as the rank.
 * Addresses; the memory is somebody else's. Inner lists and elements have no nulls.
 *
 * @param valid a bit for each row; 0 where no row is null
 * @param offsets of each level, the outermost first
 */
record TensorLists(DType dtype, int rows, long valid, long[] offsets, long elements) {
  int rank() {
    return offsets.length;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.tensor.DType;

/**
 * A column of tensors, one per row, as lists in device memory, nested to the depth of the rank.
 * Holds addresses of memory that it does not own. Inner lists and elements have no nulls.
 *
 * @param valid the address of the validity bitmap; 0 if no row is null
 * @param offsets the addresses of the offsets of each level, outermost first
 */
record TensorLists(DType dtype, int rows, long valid, long[] offsets, long elements) {
  int rank() {
    return offsets.length;
  }
}

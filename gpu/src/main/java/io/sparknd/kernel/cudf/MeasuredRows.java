/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/**
 * The dimensions and element positions of each row of a column, in device memory.
 *
 * @param valid the address of the validity bitmap; 0 if no row is null
 * @param elements the address of the elements
 * @param dims {@code [rows, rank]}
 * @param starts {@code [rows]}: the position of each row's first element
 */
record MeasuredRows(
    int rank, int rows, long valid, long elements, Device.Memory dims, Device.Memory starts) {

  /** Returns the fields in the order that {@code native.cu} expects. */
  long[] column() {
    return new long[] {elements, dims.address(), starts.address(), rank, valid};
  }
}

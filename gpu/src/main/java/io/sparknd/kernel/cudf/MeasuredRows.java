/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/**
 * The dimensions of each row of a column, and where its elements begin, on the device.
 *
 * @param valid a bit for each row; 0 where no row is null
 * @param elements where they are
 * @param dims {@code [rows, rank]}
 * @param starts {@code [rows]}
 */
record MeasuredRows(
    int rank, int rows, long valid, long elements, Device.Memory dims, Device.Memory starts) {

  /** As {@code native.cu} reads it. */
  long[] column() {
    return new long[] {elements, dims.address(), starts.address(), rank, valid};
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/** The dimensions of each row of a column, and where its elements begin, on the device. */
final class MeasuredRows implements AutoCloseable {
  private final int rank;
  private final int rows;
  private final long valid;
  private final long elements;
  private final Device.Memory dims;
  private final Device.Memory starts;

  /**
   * @param dims {@code [rows, rank]}, which this closes, as it does {@code starts}
   * @param starts {@code [rows]}
   */
  MeasuredRows(
      int rank, int rows, long valid, long elements, Device.Memory dims, Device.Memory starts) {
    this.rank = rank;
    this.rows = rows;
    this.valid = valid;
    this.elements = elements;
    this.dims = dims;
    this.starts = starts;
  }

  /** As {@code native.cu} reads it. */
  long[] column() {
    return new long[] {elements, dims.address(), starts.address(), rank, valid};
  }

  int rank() {
    return rank;
  }

  int rows() {
    return rows;
  }

  Device.Memory dims() {
    return dims;
  }

  Device.Memory starts() {
    return starts;
  }

  @Override
  public void close() {
    dims.close();
    starts.close();
  }
}

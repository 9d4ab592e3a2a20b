/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

/**
 * Contiguous rows of one array.
 *
 * @param first the first row
 * @param units units per row
 */
record FlatRows(Object array, int first, int units) implements DeviceTransfer.Rows {
  @Override
  public Object array(int row) {
    return array;
  }

  @Override
  public int unit(int row) {
    return (first + row) * units;
  }

  @Override
  public int run(int row, int most) {
    return most;
  }
}

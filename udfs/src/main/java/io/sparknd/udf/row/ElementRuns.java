/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

/**
 * The positions of a tensor's elements in an array that also holds other data: row-major, in runs
 * of equal length.
 *
 * @param element units of the array per element, at least 1
 * @param length of a run, in units of the array; at least 1
 * @param starts of the runs, in units of the array
 */
@SuppressWarnings("ArrayRecordComponent") // created once per shape, compared by identity
public record ElementRuns(int element, int length, int[] starts) {

  /**
   * Returns the start of segment {@code number}. Segments have {@code size} units and do not cross
   * the end of a run.
   */
  int segmentStart(int number, int size) {
    if (size == length) {
      return starts[number];
    }
    int unit = number * size;
    return starts[unit / length] + unit % length;
  }
}

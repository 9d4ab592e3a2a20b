/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.row;

/**
 * Where elements lie in an array that has more in it than them: row-major, in runs of one length.
 *
 * @param element units of the array in an element, at least 1
 * @param length of a run, in units of the array; at least 1
 * @param starts of the runs, in units of the array
 */
@SuppressWarnings("ArrayRecordComponent") // made once a shape, and never compared by content
public record SlotRuns(int element, int length, int[] starts) {

  /** Where piece {@code number} begins, of pieces of {@code size} units that no run ends inside. */
  int piece(int number, int size) {
    if (size == length) {
      return starts[number];
    }
    int unit = number * size;
    return starts[unit / length] + unit % length;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

/**
 * Rows of a file with keys that were searched for, in file order.
 *
 * @param keys the number of each row's key in the list that was searched for
 * @param positions the position of each row in the file
 */
public record KeyMatches(int[] keys, int[] positions) {
  /** Returns the number of rows. */
  public int count() {
    return keys.length;
  }
}

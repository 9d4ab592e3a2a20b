/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import java.io.Serializable;
import java.util.Arrays;

/**
 * Positions of rows in a data file.
 *
 * @param file location of the file
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
record FilePositions(String file, int[] positions) implements Serializable {

  /** Returns the positions of both; of the same file. */
  FilePositions and(FilePositions other) {
    int[] all = Arrays.copyOf(positions, positions.length + other.positions.length);
    System.arraycopy(other.positions, 0, all, positions.length, other.positions.length);
    return new FilePositions(file, all);
  }

  /** Returns the distinct positions, ascending. */
  int[] ascending() {
    return Arrays.stream(positions).sorted().distinct().toArray();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.block;

import java.util.Arrays;

/** The rows of a block that updates name, ascending, each once; a row's slot is its place there. */
final class TouchedRows {
  /** A table of slots may have so many entries, */
  private static final int SMALL = 1 << 16;

  /** or so many for each update: every row of the block's files is looked up in it. */
  private static final int DENSE = 256;

  private final long[] rows;
  private final int[] slots;

  private TouchedRows(long[] rows, int[] slots) {
    this.rows = rows;
    this.slots = slots;
  }

  /**
   * @param named rows in the block, in any order and number; sorted by the call
   * @param perBlock rows of a full block
   */
  static TouchedRows of(long[] named, long perBlock) {
    return perBlock <= Math.max(SMALL, (long) DENSE * named.length)
        ? dense(named, (int) perBlock)
        : sparse(named);
  }

  private static TouchedRows dense(long[] named, int perBlock) {
    int[] slots = new int[perBlock];
    for (long row : named) {
      slots[(int) row] = 1;
    }
    long[] rows = new long[named.length];
    int count = 0;
    for (int row = 0; row < perBlock; row++) {
      if (slots[row] == 0) {
        slots[row] = -1;
      } else {
        slots[row] = count;
        rows[count++] = row;
      }
    }
    return new TouchedRows(Arrays.copyOf(rows, count), slots);
  }

  private static TouchedRows sparse(long[] named) {
    Arrays.sort(named);
    int count = 0;
    for (int i = 0; i < named.length; i++) {
      if (i == 0 || named[i] != named[i - 1]) {
        named[count++] = named[i];
      }
    }
    return new TouchedRows(Arrays.copyOf(named, count), null);
  }

  int count() {
    return rows.length;
  }

  /** The row in the block at {@code slot}. */
  long row(int slot) {
    return rows[slot];
  }

  /** All of them, in the order of their slots; not to be changed. */
  long[] rows() {
    return rows;
  }

  /** The slot of a row in the block; negative where it was not named. */
  int slot(long row) {
    return slots != null ? slots[(int) row] : Arrays.binarySearch(rows, row);
  }
}

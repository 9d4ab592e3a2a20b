/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The distinct rows of a block that updates name, ascending. A row's slot is its index in that
 * order; other rows have none.
 */
final class TouchedRows implements RowSlots {
  /** Use a dense slot table up to this many entries, or {@link #DENSE} entries per update. */
  private static final int SMALL = 1 << 16;

  /**
   * Dense entries per update; a dense table pays because every row of the block's files is looked
   * up.
   */
  private static final int DENSE = 256;

  /** Maximum entries of a dense table, whatever the number of updates. */
  private static final int MAX_DENSE = 1 << 24;

  private final long[] rows;
  private final int @Nullable [] slots;

  private TouchedRows(long[] rows, int @Nullable [] slots) {
    this.rows = rows;
    this.slots = slots;
  }

  /**
   * Returns the distinct rows of {@code named}.
   *
   * @param named rows in the block, in any order, possibly repeated; the call may modify the array
   * @param perBlock rows of a full block
   */
  static TouchedRows of(long[] named, long perBlock) {
    return perBlock <= Math.min(MAX_DENSE, Math.max(SMALL, (long) DENSE * named.length))
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
    int count = sortDistinct(named, named.length);
    return new TouchedRows(Arrays.copyOf(named, count), null);
  }

  /** Sorts the first rows of an array and removes repeated ones; returns how many are left. */
  static int sortDistinct(long[] rows, int count) {
    Arrays.sort(rows, 0, count);
    int kept = 0;
    for (int i = 0; i < count; i++) {
      if (i == 0 || rows[i] != rows[i - 1]) {
        rows[kept++] = rows[i];
      }
    }
    return kept;
  }

  @Override
  public int count() {
    return rows.length;
  }

  @Override
  public long row(int slot) {
    return rows[slot];
  }

  /** Returns all rows in the order of their slots; not to be modified. */
  long[] rows() {
    return rows;
  }

  @Override
  public int slot(long row) {
    return slots != null ? slots[(int) row] : Arrays.binarySearch(rows, row);
  }
}

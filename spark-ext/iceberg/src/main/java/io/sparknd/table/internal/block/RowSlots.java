/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

/** Places of rows of a block in an array. */
interface RowSlots {

  /** Returns the number of slots. */
  int count();

  /** Returns the row in the block at {@code slot}. */
  long row(int slot);

  /** Returns the slot of a row in the block; negative if it has none. */
  int slot(long row);

  /** Returns slots for all rows of a block, each at its number. */
  static RowSlots ofAll(int rows) {
    return new RowSlots() {
      @Override
      public int count() {
        return rows;
      }

      @Override
      public long row(int slot) {
        return slot;
      }

      @Override
      public int slot(long row) {
        return (int) row;
      }
    };
  }
}

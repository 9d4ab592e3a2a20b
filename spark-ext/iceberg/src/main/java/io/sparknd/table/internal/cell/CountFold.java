/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

/** Counts the updates that have a value. */
record CountFold() implements CellFold {
  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    ElementCells cells = (ElementCells) target.values();
    long[] counts = (long[]) cells.payload();
    for (int i = 0; i < updates.count(); i++) {
      int slot = updates.slots()[i];
      if (updates.values().isPresent(i)) {
        counts[slot] = cells.isPresent(slot) ? counts[slot] + 1 : 1;
        cells.mark(slot);
      }
    }
  }
}

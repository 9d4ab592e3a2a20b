/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

/**
 * The least or the greatest value of a type that has an order; of equal ones the first.
 *
 * @param sign 1 for the maximum, -1 for the minimum
 */
record ExtremeFold(int sign) implements CellFold {
  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    Cells cells = target.values();
    for (int i = 0; i < updates.count(); i++) {
      int slot = updates.slots()[i];
      if (updates.values().isPresent(i)
          && (!cells.isPresent(slot) || sign * updates.values().compare(i, cells, slot) > 0)) {
        cells.copy(slot, updates.values(), i);
      }
    }
  }
}

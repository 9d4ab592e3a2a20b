/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

/** The last update of a cell replaces it. */
record ReplaceFold() implements CellFold {
  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    for (int i = 0; i < updates.count(); i++) {
      if (updates.values().isPresent(i)) {
        target.values().copy(updates.slots()[i], updates.values(), i);
      }
    }
  }

  @Override
  public boolean readsStored() {
    return false;
  }
}

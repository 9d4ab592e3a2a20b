/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.Objects;

/**
 * The update that is last or first by an order, which the state column holds.
 *
 * @param isLast true for the greatest order, where of equal ones the last update wins; false for
 *     the least, where the first wins
 */
record OrderedFold(boolean isLast) implements CellFold {
  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    Cells order = Objects.requireNonNull(updates.order());
    Cells stored = target.state().get(0);
    for (int i = 0; i < updates.count(); i++) {
      int slot = updates.slots()[i];
      if (!updates.values().isPresent(i)) {
        continue;
      }
      String problem = order.orderProblem(i);
      if (problem != null) {
        throw new CellException(slot, problem);
      }
      if (!stored.isPresent(slot) || wins(order.compare(i, stored, slot))) {
        target.values().copy(slot, updates.values(), i);
        stored.copy(slot, order, i);
      }
    }
  }

  private boolean wins(int comparison) {
    return isLast ? comparison >= 0 : comparison < 0;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.jspecify.annotations.Nullable;

/**
 * The last elements of the arrays of all updates: in the order of arrival, or by an order, whose
 * values a state column holds.
 *
 * @param size maximum number of elements
 * @param type type of the variable
 * @param order type of the order; null for the order of arrival
 */
record LastElementsFold(int size, ArrayType type, @Nullable CellType order) implements CellFold {

  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    for (int i = 0; i < updates.count(); i++) {
      if (updates.values().isPresent(i)) {
        int slot = updates.slots()[i];
        List<@Nullable Object> elements = elements(target.values().value(slot), type);
        List<@Nullable Object> more = elements(updates.values().value(i), type);
        if (order == null) {
          elements.addAll(more);
          target.values().set(slot, array(last(elements)));
        } else {
          merge(target, slot, elements, more, Objects.requireNonNull(updates.order()), i);
        }
      }
    }
  }

  private void merge(
      CellTarget target,
      int slot,
      List<@Nullable Object> elements,
      List<@Nullable Object> more,
      Cells orders,
      int update) {
    String problem = orders.orderProblem(update);
    if (problem != null) {
      throw new CellException(slot, problem);
    }
    ArrayType orderType = new ArrayType(Objects.requireNonNull(order).sql(), false);
    List<@Nullable Object> stored = elements(target.state().get(0).value(slot), orderType);
    if (stored.size() != elements.size()) { // SQL changed one of the columns
      throw new CellException(
          slot, "it has " + elements.size() + " elements and " + stored.size() + " orders of them");
    }
    int at = stored.size();
    Cells one = order.allocate(1);
    while (at > 0 && isAbove(one, stored.get(at - 1), orders, update)) {
      at--;
    }
    elements.addAll(at, more);
    for (int i = 0; i < more.size(); i++) {
      stored.add(at, orders.value(update));
    }
    target.values().set(slot, array(last(elements)));
    target.state().get(0).set(slot, array(last(stored)));
  }

  /** Returns whether a stored order is greater than that of an update. */
  private static boolean isAbove(Cells scratch, @Nullable Object stored, Cells orders, int update) {
    scratch.set(0, stored);
    return scratch.compare(0, orders, update) > 0;
  }

  private static List<@Nullable Object> elements(@Nullable Object value, ArrayType of) {
    List<@Nullable Object> elements = new ArrayList<>();
    if (value instanceof ArrayData array) {
      for (int i = 0; i < array.numElements(); i++) {
        elements.add(array.isNullAt(i) ? null : array.get(i, of.elementType()));
      }
    }
    return elements;
  }

  private List<@Nullable Object> last(List<@Nullable Object> all) {
    return all.subList(Math.max(0, all.size() - size), all.size());
  }

  private static ArrayData array(List<@Nullable Object> elements) {
    return new GenericArrayData(elements.toArray());
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.cluster.internal.columnar.ExternalValues;
import io.sparknd.table.reduction.CustomReduction;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;

/**
 * Folds by a reduction that works on values of Spark's public rows.
 *
 * @param type type of the variable
 * @param state types of the state columns; empty if the variable's value is the state
 */
record CustomFold(CustomReduction reduction, DataType type, List<DataType> state)
    implements CellFold {

  @Override
  public void fold(CellTarget target, CellUpdates updates) {
    // not by the settings of the task, which depend on whether a SQL query runs it
    ExternalValues values = ExternalValues.of(type);
    List<Cells> stored = state.isEmpty() ? List.of(target.values()) : target.state();
    List<ExternalValues> converters =
        state.isEmpty() ? List.of(values) : state.stream().map(ExternalValues::of).toList();
    for (int i = 0; i < updates.count(); i++) {
      Object update = values.external(updates.values().value(i));
      if (update != null) {
        int slot = updates.slots()[i];
        @Nullable Object[] before = new Object[stored.size()];
        for (int s = 0; s < before.length; s++) {
          before[s] = converters.get(s).external(stored.get(s).value(slot));
        }
        @Nullable Object[] after =
            requireState(slot, called(slot, () -> reduction.fold(before, update)), before.length);
        for (int s = 0; s < before.length; s++) {
          set(stored.get(s), slot, converters.get(s), after[s]);
        }
        set(target.values(), slot, values, called(slot, () -> reduction.result(after)));
      }
    }
  }

  private <T extends @Nullable Object> T called(int slot, Supplier<T> call) {
    try {
      return call.get();
    } catch (RuntimeException e) {
      throw new CellException(slot, reduction.getClass().getName() + " failed: " + e.getMessage());
    }
  }

  private @Nullable Object[] requireState(
      int slot, @Nullable Object @Nullable [] after, int expected) {
    if (after == null || after.length != expected) {
      throw new CellException(
          slot,
          reduction.getClass().getName()
              + " returned "
              + (after == null ? "null" : after.length + " values")
              + " as its state, which has "
              + expected);
    }
    return after;
  }

  private void set(Cells cells, int slot, ExternalValues values, @Nullable Object value) {
    try {
      cells.set(slot, values.internal(value));
    } catch (ArithmeticException | ClassCastException e) {
      throw wrongValue(
          slot,
          value
              + " of "
              + Objects.requireNonNull(value).getClass().getName()
              + " is no "
              + cells.type().sql().simpleString());
    } catch (RuntimeException e) {
      throw wrongValue(slot, e.getMessage());
    }
  }

  private CellException wrongValue(int slot, @Nullable String problem) {
    return new CellException(
        slot, reduction.getClass().getName() + " returned a wrong value: " + problem);
  }
}

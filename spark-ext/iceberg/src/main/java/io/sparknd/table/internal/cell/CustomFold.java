/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.table.reduction.CustomReduction;
import java.util.List;
import java.util.Objects;
import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.Function1;

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
    Converter values = Converter.of(type);
    List<Cells> stored = state.isEmpty() ? List.of(target.values()) : target.state();
    List<Converter> converters =
        state.isEmpty() ? List.of(values) : state.stream().map(Converter::of).toList();
    for (int i = 0; i < updates.count(); i++) {
      Object update = updates.values().value(i);
      if (update != null) {
        int slot = updates.slots()[i];
        @Nullable Object[] before = new Object[stored.size()];
        for (int s = 0; s < before.length; s++) {
          before[s] = converters.get(s).external(stored.get(s).value(slot));
        }
        @Nullable Object[] after = folded(slot, before, values.external(update));
        for (int s = 0; s < before.length; s++) {
          stored.get(s).set(slot, converters.get(s).internal(after[s]));
        }
        target.values().set(slot, values.internal(reduction.result(after)));
      }
    }
  }

  private @Nullable Object[] folded(int slot, @Nullable Object[] before, @Nullable Object update) {
    try {
      return reduction.fold(before, Objects.requireNonNull(update));
    } catch (RuntimeException e) {
      throw new CellException(slot, reduction.getClass().getName() + " failed: " + e.getMessage());
    }
  }

  /** Converts values of one type between Spark's internal and public forms. */
  private record Converter(Function1<Object, Object> toPublic, Function1<Object, Object> toOwn) {
    static Converter of(DataType type) {
      return new Converter(
          CatalystTypeConverters.createToScalaConverter(type),
          CatalystTypeConverters.createToCatalystConverter(type));
    }

    @Nullable Object external(@Nullable Object value) {
      return value == null ? null : toPublic.apply(value);
    }

    @Nullable Object internal(@Nullable Object value) {
      return value == null ? null : toOwn.apply(value);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.cell;

import io.sparknd.op.Reduction;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Metadata;
import org.apache.spark.sql.types.StructField;
import org.apache.spark.sql.types.StructType;

/**
 * Chooses how a variable that is reduced in windows keeps its tiles.
 *
 * @param folds the folds of the variable
 */
record TileFolds(CellFolds folds) {

  /** Returns the state columns: begins of tiles, partial results, and whether some were evicted. */
  StructType state(VariableReduction reduction) {
    List<DataType> types = format(reduction).columns();
    StructType state = new StructType().add(reduction.orderBy().get(), types.get(0), true);
    for (StructField partial : partials(reduction)) {
      state = state.add(partial.name(), types.get(state.length()), true);
    }
    state = state.add(TileFormat.EVICTED, types.get(state.length()), true);
    long names =
        Arrays.stream(state.fieldNames())
            .map(name -> name.toLowerCase(Locale.ROOT))
            .distinct()
            .count();
    if (names < state.length()) {
      throw FeatureErrors.reductionOfType(
          folds.variable(),
          reduction.name(),
          folds.type().sql().simpleString(),
          "its time has the name of another column of its state: rename the variable "
              + reduction.orderBy().get());
    }
    return state;
  }

  private List<StructField> partials(VariableReduction reduction) {
    StructType inner = folds.state(reduction.withoutWindows());
    return inner.isEmpty()
        ? List.of(new StructField(TileFormat.TILES, folds.type().sql(), true, Metadata.empty()))
        : List.of(inner.fields());
  }

  /** Returns how tiles are kept. */
  TileFormat format(VariableReduction reduction) {
    CellFold update = folds.of(reduction.withoutWindows());
    List<CellType> types = new ArrayList<>();
    List<CellFold> merges = new ArrayList<>();
    for (StructField partial : partials(reduction)) {
      boolean isOwn = partial.name().equals(TileFormat.TILES);
      types.add(isOwn ? folds.type() : CellType.ofScalar(partial.dataType()));
      merges.add(
          isOwn && !reduction.name().equals("count")
              ? update
              : new KernelFold(Reduction.ADD, folds.kernel()));
    }
    if (folds.type() instanceof CellType.Elements elements && elements.units() == 0) {
      throw FeatureErrors.reductionOfType(
          folds.variable(), reduction.name(), elements.dtype() + "[0]", "it has no elements");
    }
    TimeWindows windows = reduction.windows().get();
    return new TileFormat(
        new TileReduction(folds.type(), types, update, merges),
        times(reduction),
        windows.tiles(windows.longest()));
  }

  private TileTimes times(VariableReduction reduction) {
    CellType order = folds.order();
    if (order == null) {
      throw FeatureErrors.noOrderVariable(
          folds.variable(), reduction.name(), reduction.orderBy().get());
    }
    boolean areDates = order.sql().equals(DataTypes.DateType);
    boolean areTimes =
        order.sql().equals(DataTypes.TimestampType)
            || order.sql().equals(DataTypes.TimestampNTZType);
    Duration tile = reduction.windows().get().tile();
    if (!areDates && !areTimes) {
      throw FeatureErrors.reductionOfType(
          folds.variable(),
          reduction.name(),
          order.sql().simpleString(),
          "the time of its windows is a timestamp or a date");
    }
    if (areDates && tile.toSeconds() % Duration.ofDays(1).toSeconds() != 0) {
      throw FeatureErrors.reductionOfType(
          folds.variable(), reduction.name(), "date", "its tiles are whole days");
    }
    return new TileTimes(TimeUnit.SECONDS.toMicros(tile.toSeconds()), order.sql());
  }
}

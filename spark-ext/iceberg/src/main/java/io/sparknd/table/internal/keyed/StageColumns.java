/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.cluster.internal.columnar.LosslessCasts;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.CellFolds;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.FeatureFormat;
import io.sparknd.table.internal.feature.StoredFeatures;
import io.sparknd.table.internal.key.KeyColumn;
import io.sparknd.table.reduction.VariableReduction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a stage with the columns that are needed: those of the key, of the order, and the
 * inputs.
 *
 * @param rows rows with columns {@code keys}, {@code orders} and one column per input
 * @param keys names of the key columns in {@code rows}
 * @param orders names of the columns that order rows of one key
 * @param sortColumns names of the columns by which rows of one key are sorted; empty for row order
 */
record StageColumns(
    Dataset<Row> rows,
    List<String> keys,
    List<String> orders,
    List<String> sortColumns,
    FeatureStage stage) {

  /**
   * Resolves the columns of a stage.
   *
   * @param limit of the times of updates
   * @throws io.sparknd.tensor.SparkNdException if a column is missing, or of another type
   */
  static StageColumns of(StoredFeatures table, StagedFeatures staged, EventTimeLimit limit) {
    return new Resolution(table, staged).resolve(limit);
  }

  /**
   * Resolves the key columns of rows to look up; all columns of the rows follow them.
   *
   * @param keyColumns columns of {@code rows} with the columns of the key, in their order
   * @throws io.sparknd.tensor.SparkNdException if a column is missing, or of another type
   */
  static StageColumns ofLookup(StoredFeatures table, Dataset<Row> rows, List<String> keyColumns) {
    StagedFeatures staged =
        new StagedFeatures(
            rows, List.of(), Optional.empty(), List.of(), StagedFeatures.KeyPolicy.NO_BLOCK);
    return new Resolution(table, staged).resolveLookup(keyColumns);
  }

  private static final class Resolution {
    private final StoredFeatures table;
    private final FeatureFormat format;
    private final StagedFeatures staged;
    private final String[] names;
    private final StructType schema;
    private final ColumnNameMatcher matcher;
    private final List<Column> selected = new ArrayList<>();
    private final List<String> keys = new ArrayList<>();
    private final List<String> orders = new ArrayList<>();
    private final List<String> sortable = new ArrayList<>();
    private final List<FeatureStage.Input> inputs = new ArrayList<>();

    Resolution(StoredFeatures table, StagedFeatures staged) {
      this.table = table;
      this.format = table.format();
      this.staged = staged;
      this.names = staged.rows().columns();
      this.schema = staged.rows().schema();
      this.matcher = ColumnNameMatcher.in(staged.rows());
    }

    StageColumns resolve(EventTimeLimit limit) {
      List<FeatureStage.Target> targets = new ArrayList<>();
      for (KeyColumn key : format.axis().columns()) {
        addKey(key, key.name());
      }
      for (String order : staged.orderBy()) {
        String name = "o" + orders.size();
        selected.add(column(matcher.ordinal(names, order)).as(name));
        orders.add(name);
      }
      Set<Integer> updated = new HashSet<>();
      for (String variable : variables()) {
        FeatureStage.Target target = target(variable, limit);
        if (!updated.add(target.column())) {
          throw FeatureErrors.variableTwice(table.name(), variable, staged.variables().toString());
        }
        targets.add(target);
      }
      Dataset<Row> rows = staged.rows().select(selected.toArray(Column[]::new));
      List<String> sort = new ArrayList<>(orders);
      sort.addAll(orders.isEmpty() ? List.of() : sortable);
      return new StageColumns(rows, keys, orders, sort, new FeatureStage(inputs, targets));
    }

    StageColumns resolveLookup(List<String> keyColumns) {
      for (int i = 0; i < keyColumns.size(); i++) {
        addKey(format.axis().columns().get(i), keyColumns.get(i));
      }
      for (int i = 0; i < names.length; i++) {
        selected.add(column(i).as("r" + i));
      }
      Dataset<Row> rows = staged.rows().select(selected.toArray(Column[]::new));
      return new StageColumns(
          rows, keys, List.of(), List.of(), new FeatureStage(List.of(), List.of()));
    }

    private Column column(int ordinal) {
      return SqlNames.column(names[ordinal]);
    }

    private void addKey(KeyColumn key, String column) {
      int ordinal = matcher.ordinal(names, column);
      DataType wanted = key.type().sql();
      DataType found = schema.fields()[ordinal].dataType();
      if (!LosslessCasts.allow(found, wanted)) {
        throw FeatureErrors.columnType(
            table.name(), key.name(), found.simpleString(), wanted.simpleString());
      }
      String name = "k" + keys.size();
      selected.add(column(ordinal).cast(wanted).as(name));
      keys.add(name);
    }

    /** Returns the variables to change: those asked for, or all columns beside the key. */
    private List<String> variables() {
      if (!staged.variables().isEmpty()) {
        return staged.variables();
      }
      return Arrays.stream(names)
          .filter(
              name ->
                  format.axis().columns().stream()
                      .noneMatch(key -> matcher.areSame(key.name(), name)))
          .toList();
    }

    private FeatureStage.Target target(String variable, EventTimeLimit limit) {
      int ordinal = columnOf(variable);
      FeatureColumn column = format.columns().get(ordinal);
      if (column.isState()) {
        throw FeatureErrors.stateColumn(table.name(), column.name());
      }
      VariableReduction reduction = staged.reduction().orElse(column.effective());
      boolean changesState = !column.state().isEmpty() && !reduction.equals(column.effective());
      boolean lacksState =
          column.state().isEmpty() && !folds(column, reduction).state(reduction).isEmpty();
      if (changesState || lacksState) {
        throw FeatureErrors.reductionMismatch(
            table.name(), column.name(), column.effective().toString(), reduction.toString());
      }
      CellFolds folds = folds(column, reduction);
      int order = reduction.orderBy().map(name -> input(columnOf(name), name)).orElse(-1);
      return new FeatureStage.Target(
          ordinal,
          column.state().stream().map(name -> format.ordinal(name).getAsInt()).toList(),
          folds.of(reduction),
          input(ordinal, variable),
          order,
          limit.latest(reduction, folds.order()));
    }

    private CellFolds folds(FeatureColumn column, VariableReduction reduction) {
      Optional<CellType> order =
          reduction.orderBy().map(name -> format.columns().get(columnOf(name)).type());
      return new CellFolds(
          column.name(),
          column.type(),
          order.orElse(null),
          SparkNdSetting.KERNEL.in(staged.rows().sparkSession()));
    }

    private int columnOf(String variable) {
      return format.ordinal(table.name(), variable, matcher);
    }

    /** Returns the number of the input with the values of a column. */
    private int input(int column, String name) {
      for (int i = 0; i < inputs.size(); i++) {
        if (inputs.get(i).column() == column) {
          return i;
        }
      }
      int ordinal = matcher.ordinal(names, name);
      CellType type = format.columns().get(column).type();
      DataType found = schema.fields()[ordinal].dataType();
      DataType wanted = CellCasts.input(type, found);
      if (wanted == null) {
        throw FeatureErrors.columnType(
            table.name(), name, found.simpleString(), CellCasts.stored(type));
      }
      String inputName = "v" + inputs.size();
      selected.add(column(ordinal).cast(wanted).as(inputName));
      if (SqlTypes.hasOrder(wanted)) {
        sortable.add(inputName);
      }
      inputs.add(new FeatureStage.Input(column, wanted));
      return inputs.size() - 1;
    }
  }

  /** Which types of columns are taken for others, without loss. */
  private static final class CellCasts {
    private CellCasts() {}

    /** Returns the type to which a column is cast for cells; null if it cannot be. */
    static @Nullable DataType input(CellType type, DataType found) {
      if (type instanceof CellType.Elements elements) {
        int rank = elements.shape().rank();
        if (found.equals(DataTypes.BinaryType) && elements.isBinary()) {
          return found;
        }
        DataType element = elements.element();
        for (DataType wanted : List.of(nested(element, rank), nested(element, Math.min(rank, 1)))) {
          if (LosslessCasts.allow(found, wanted)) {
            return wanted;
          }
        }
        return null;
      }
      return LosslessCasts.allow(found, type.sql()) ? type.sql() : null;
    }

    /** Returns the type that a column stores, and the arrays that it takes if that is binary. */
    static String stored(CellType type) {
      String sql = type.sql().simpleString();
      return type instanceof CellType.Elements elements && elements.isBinary()
          ? sql
              + " and takes "
              + nested(elements.element(), Math.min(elements.shape().rank(), 1)).simpleString()
          : sql;
    }

    private static DataType nested(DataType element, int levels) {
      DataType type = element;
      for (int level = 0; level < levels; level++) {
        type = new ArrayType(type, true);
      }
      return type;
    }
  }
}

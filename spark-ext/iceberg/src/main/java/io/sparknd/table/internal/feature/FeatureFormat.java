/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.CellFolds;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.cell.Cells;
import io.sparknd.table.internal.cell.TileFormat;
import java.io.Serializable;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import java.util.stream.IntStream;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Types;

/**
 * What the rows of a feature table are.
 *
 * @param columns all columns that are not part of the key, in the order of the schema
 */
public record FeatureFormat(FeatureAxis axis, List<FeatureColumn> columns) implements Serializable {
  public FeatureFormat {
    columns = List.copyOf(columns);
  }

  /** Returns the format with another size of the numbered axis. */
  FeatureFormat resized(long size) {
    return axis instanceof FeatureAxis.Numbered numbered && numbered.size() != size
        ? new FeatureFormat(numbered.resized(size), columns)
        : this;
  }

  /** Returns the format as tasks need it. */
  FeatureFormat forTasks() {
    return new FeatureFormat(axis, columns.stream().map(FeatureColumn::forTasks).toList());
  }

  /** Returns cells of all columns, all absent. */
  public List<Cells> cells(int count) {
    return columns.stream().map(column -> column.type().allocate(count)).toList();
  }

  /** Sets absent cells of a column to its fill value, if it has one. */
  public void fillAbsent(int column, Cells cells, IntStream slots) {
    Object value = columns.get(column).fillValue();
    if (value != null) {
      slots.filter(slot -> !cells.isPresent(slot)).forEach(slot -> cells.fill(slot, value));
    }
  }

  /** Returns the variables: all columns that do not hold the state of another one. */
  public List<FeatureColumn> variables() {
    return columns.stream().filter(column -> !column.isState()).toList();
  }

  /** Returns the ordinals of {@link #variables} in {@link #columns}. */
  public List<Integer> variableOrdinals() {
    return IntStream.range(0, columns.size())
        .filter(i -> !columns.get(i).isState())
        .boxed()
        .toList();
  }

  /** Returns the ordinal of a column in {@link #columns}, by its exact name. */
  public OptionalInt ordinal(String name) {
    return IntStream.range(0, columns.size())
        .filter(i -> columns.get(i).name().equals(name))
        .findFirst();
  }

  /**
   * Returns the ordinal of a column: of exactly this name, or else of one that the session's case
   * rules match.
   *
   * @param table the table's name, for messages
   * @throws io.sparknd.tensor.SparkNdException if there is no such column
   */
  public int ordinal(String table, String name, ColumnNameMatcher session) {
    return ordinal(name)
        .orElseGet(
            () ->
                IntStream.range(0, columns.size())
                    .filter(i -> session.areSame(columns.get(i).name(), name))
                    .findFirst()
                    .orElseThrow(() -> FeatureErrors.noVariable(table, name, variableNames())));
  }

  /**
   * Returns how a variable that is reduced in windows keeps its tiles.
   *
   * @param kernel name of the kernel provider
   */
  public TileFormat tiles(FeatureColumn variable, String kernel) {
    return folds(variable, kernel).tiles(variable.effective());
  }

  /**
   * Returns the folds of a variable.
   *
   * @param kernel name of the kernel provider
   */
  CellFolds folds(FeatureColumn variable, String kernel) {
    CellType order =
        variable
            .effective()
            .orderBy()
            .map(name -> columns.get(ordinal(name).orElseThrow()).type())
            .orElse(null);
    return new CellFolds(variable.name(), variable.type(), order, kernel);
  }

  /** Returns whether the key and the columns are these, by id, name and type, in any order. */
  boolean hasColumns(List<Types.NestedField> fields) {
    Set<List<Object>> own = new HashSet<>();
    axis.columns().forEach(key -> own.add(List.of(key.fieldId(), key.name(), key.type().sql())));
    columns.forEach(
        column -> own.add(List.of(column.fieldId(), column.name(), column.type().sql())));
    Set<List<Object>> found = new HashSet<>();
    fields.forEach(
        field ->
            found.add(
                List.of(field.fieldId(), field.name(), SparkSchemaUtil.convert(field.type()))));
    return own.equals(found);
  }

  /** Returns the names of all columns that are not part of the key. */
  List<String> columnNames() {
    return columns.stream().map(FeatureColumn::name).toList();
  }

  /** Returns the names of {@link #variables}. */
  public List<String> variableNames() {
    return variables().stream().map(FeatureColumn::name).toList();
  }
}

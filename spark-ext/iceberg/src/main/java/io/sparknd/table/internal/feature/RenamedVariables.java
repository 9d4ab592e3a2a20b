/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.FeatureErrors;
import java.util.Comparator;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;

/**
 * Variables whose columns other engines renamed, or dropped and added again. Properties name
 * columns: that of a reduction would no longer apply, or to values that it does not describe.
 */
public final class RenamedVariables {
  private RenamedVariables() {}

  /**
   * Checks that the properties of each variable are those of its column.
   *
   * @param name the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if a column was renamed without them, or is another
   *     one of the name
   */
  static void requireNone(String name, Table table) {
    for (String variable : names(table)) {
      newName(table, variable)
          .ifPresent(
              column -> {
                throw FeatureErrors.variableRenamed(
                    name, variable, column, FeatureProperties.key(variable, "*"));
              });
      replacement(table, variable)
          .ifPresent(
              column -> {
                throw FeatureErrors.variableReplaced(
                    name,
                    variable,
                    FeatureProperties.key(variable, "*"),
                    ColumnRecords.key(variable));
              });
    }
  }

  /**
   * Returns the name that a variable's column has now, if others renamed it.
   *
   * @return empty if the column has the variable's name, was dropped, or, where its field id is not
   *     recorded, has properties of its own
   */
  public static Optional<String> newName(Table table, String variable) {
    return ColumnRecords.id(table.properties(), variable)
        .map(id -> named(table.schema(), id).filter(name -> !name.equals(variable)))
        .orElseGet(() -> nameInSchemas(table, variable));
  }

  /** Returns the present name of the column that had a variable's name in an earlier schema. */
  private static Optional<String> nameInSchemas(Table table, String variable) {
    if (ColumnRecords.column(table.schema(), variable).isPresent()) {
      return Optional.empty();
    }
    return table.schemas().values().stream()
        .sorted(Comparator.comparing(Schema::schemaId).reversed())
        .flatMap(before -> ColumnRecords.column(before, variable).stream())
        .findFirst()
        .flatMap(last -> named(table.schema(), last.fieldId()))
        .filter(column -> FeatureProperties.ofVariable(table.properties(), column).isEmpty());
  }

  /** Returns the column of a variable's name that came after the column that is recorded. */
  private static Optional<Types.NestedField> replacement(Table table, String variable) {
    return ColumnRecords.id(table.properties(), variable)
        .flatMap(
            id ->
                ColumnRecords.column(table.schema(), variable)
                    .filter(column -> column.fieldId() != id));
  }

  /** Returns whether a column has another name than the variable that it is recorded for. */
  public static boolean isMisnamed(Table table, String column) {
    return ColumnRecords.column(table.schema(), column)
        .filter(
            field ->
                names(table).stream()
                    .filter(variable -> !variable.equals(column))
                    .anyMatch(
                        variable ->
                            ColumnRecords.id(table.properties(), variable)
                                .filter(id -> id == field.fieldId())
                                .isPresent()))
        .isPresent();
  }

  /**
   * Returns the records of the columns that others put in the place of variables' columns.
   *
   * @param removed the properties that name the columns that are gone
   */
  public static Map<String, String> accepted(Table table, Set<String> removed) {
    Map<String, String> records = new TreeMap<>();
    for (String variable : names(table)) {
      String record = ColumnRecords.key(variable);
      if (removed.contains(record) && newName(table, variable).isEmpty()) {
        replacement(table, variable)
            .ifPresent(column -> records.put(record, Integer.toString(column.fieldId())));
      }
    }
    return records;
  }

  /** Returns the names of variables with properties, and of other named columns with a record. */
  private static Set<String> names(Table table) {
    Set<String> names = ColumnRecords.named(table.properties());
    names.retainAll(ColumnRecords.recorded(table.properties()));
    names.addAll(FeatureProperties.described(table.properties()));
    return names;
  }

  private static Optional<String> named(Schema schema, int id) {
    return Optional.ofNullable(schema.findColumnName(id));
  }
}

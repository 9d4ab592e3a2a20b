/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.FeatureErrors;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.types.Types;

/**
 * Variables whose columns other engines renamed. Properties name columns: that of a reduction would
 * no longer apply, and updates would replace values.
 */
public final class RenamedVariables {
  private RenamedVariables() {}

  /**
   * Checks that no column was renamed without the properties of its variable.
   *
   * @param name the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if one was
   */
  static void requireNone(String name, Table table) {
    for (String variable : FeatureProperties.described(table.properties())) {
      newName(table, variable)
          .ifPresent(
              column -> {
                throw FeatureErrors.variableRenamed(
                    name, variable, column, FeatureProperties.key(variable, "*"));
              });
    }
  }

  /**
   * Returns the name that a variable's column has now, if others renamed it.
   *
   * @return empty if the column has the variable's name, was dropped, or has properties of its own
   */
  public static Optional<String> newName(Table table, String variable) {
    List<Types.NestedField> now = table.schema().columns();
    if (named(now, variable).isPresent()) {
      return Optional.empty();
    }
    return table.schemas().values().stream()
        .sorted(Comparator.comparing(Schema::schemaId).reversed())
        .flatMap(before -> named(before.columns(), variable).stream())
        .findFirst()
        .flatMap(last -> now.stream().filter(c -> c.fieldId() == last.fieldId()).findFirst())
        .map(Types.NestedField::name)
        .filter(column -> FeatureProperties.ofVariable(table.properties(), column).isEmpty());
  }

  private static Optional<Types.NestedField> named(List<Types.NestedField> columns, String name) {
    return columns.stream().filter(field -> field.name().equals(name)).findFirst();
  }
}

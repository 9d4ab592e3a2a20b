/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.Variable;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/** Columns of state among those that the definition of a new table lists. */
public final class ListedState {
  private ListedState() {}

  /**
   * Returns variables without those that are state of others, as {@code SHOW CREATE TABLE} lists
   * it: the table has its state without being asked.
   *
   * @throws io.sparknd.tensor.SparkNdException if a variable's type and its reduction or shape do
   *     not match
   */
  public static List<Variable> without(List<Variable> listed) {
    List<Variable> variables = new ArrayList<>(listed);
    for (Variable variable : listed) {
      for (StructField field : FeatureCatalog.state(variable, listed).fields()) {
        variables.removeIf(other -> isState(other, variable, field));
      }
    }
    return variables;
  }

  private static boolean isState(Variable other, Variable variable, StructField field) {
    DataType stored = SparkSchemaUtil.convert(SparkSchemaUtil.convert(field.dataType()));
    return other.name().equals(FeatureProperties.stateColumn(variable.name(), field))
        && other.type().catalogString().equals(stored.catalogString())
        && FeatureProperties.of(other).isEmpty();
  }

  /**
   * Checks that no other column has the name of a column of state.
   *
   * @param table the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if one has
   */
  static void requireFree(String table, FeatureTableSpec spec) {
    Set<String> names = new TreeSet<>(String.CASE_INSENSITIVE_ORDER);
    spec.key().forEach(key -> names.add(key.name()));
    spec.variables().forEach(variable -> names.add(variable.name()));
    for (Variable variable : spec.variables()) {
      for (StructField field : FeatureCatalog.state(variable, spec.variables()).fields()) {
        String name = FeatureProperties.stateColumn(variable.name(), field);
        if (!names.add(name)) {
          String reduction = variable.reduction().orElseThrow().name();
          throw FeatureErrors.stateColumnTaken(table, name, variable.name(), reduction);
        }
      }
    }
  }
}

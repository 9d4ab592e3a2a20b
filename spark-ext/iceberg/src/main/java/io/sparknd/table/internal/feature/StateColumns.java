/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.reduction.VariableReduction;
import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructField;

/**
 * The columns that hold the state of reductions. Other engines can drop one, also to add another of
 * its name, or change the type of a variable or of its order, or drop it and add another, and leave
 * the state as it was.
 *
 * @param properties the properties with the records of state
 */
record StateColumns(
    String table,
    Collection<Schema> schemas,
    Map<String, String> properties,
    FeatureFormat format) {

  /**
   * Checks that the state of each reduction has the columns and types that it needs.
   *
   * @throws io.sparknd.tensor.SparkNdException if one is missing, of another type, older than the
   *     column of its variable, not the one that is recorded, or that of another reduction
   */
  void require() {
    for (FeatureColumn variable : format.columns()) {
      requireReduction(variable);
      if (!variable.state().isEmpty()) {
        require(variable);
        requireRecorded(variable);
      }
    }
  }

  /** Checks that the reduction is that of the state, which others may have declared anew. */
  private void requireReduction(FeatureColumn variable) {
    StateRecord.in(properties, variable)
        .filter(record -> !record.isOf(variable.effective()))
        .ifPresent(
            record -> {
              throw FeatureErrors.variableRedeclared(
                  table,
                  variable.name(),
                  StateRecord.text(variable.effective()),
                  record.reductionText(),
                  FeatureProperties.key(variable.name(), "*"));
            });
  }

  private void require(FeatureColumn variable) {
    VariableReduction reduction = variable.effective();
    for (StructField state : format.folds(variable, "auto").state(reduction).fields()) {
      String name = FeatureProperties.stateColumn(variable.name(), state);
      DataType wanted = SparkSchemaUtil.convert(SparkSchemaUtil.convert(state.dataType()));
      Optional<FeatureColumn> found = column(name);
      if (found.filter(column -> isSame(column.type().sql(), wanted)).isEmpty()) {
        throw FeatureErrors.stateColumn(
            table,
            variable.name(),
            reduction.name(),
            name,
            wanted.simpleString(),
            found.map(column -> column.type().sql().simpleString()).orElse("not there"));
      }
      if (found.get().fieldId() < variable.fieldId() && isAddedAgain(variable)) {
        throw FeatureErrors.olderState(
            table, variable.name(), reduction.name(), name, wanted.simpleString());
      }
    }
  }

  /** Checks that no column, which has no values, took the place of one that was dropped. */
  private void requireRecorded(FeatureColumn variable) {
    Set<String> replacements =
        StateRecord.in(properties, variable)
            .map(record -> record.replacements(StateRecord.of(format, variable)))
            .orElse(Set.of());
    for (FeatureColumn column : format.columns()) {
      if (replacements.contains(Integer.toString(column.fieldId()))) {
        throw FeatureErrors.stateReplaced(
            table,
            variable.name(),
            variable.effective().name(),
            column.name(),
            FeatureProperties.key(variable.name(), StateRecord.OPTION));
      }
    }
  }

  /** Returns whether a schema of the table has another column of the variable's name. */
  private boolean isAddedAgain(FeatureColumn variable) {
    return schemas.stream()
        .flatMap(schema -> schema.columns().stream())
        .anyMatch(
            column ->
                column.name().equals(variable.name()) && column.fieldId() != variable.fieldId());
  }

  private Optional<FeatureColumn> column(String name) {
    return format.columns().stream().filter(each -> each.name().equals(name)).findFirst();
  }

  /** Returns whether types are the same, apart from which values may be NULL. */
  private static boolean isSame(DataType one, DataType other) {
    return one.catalogString().equals(other.catalogString());
  }
}

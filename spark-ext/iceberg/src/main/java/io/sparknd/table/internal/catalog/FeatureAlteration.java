/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.feature.ColumnRecords;
import io.sparknd.table.internal.feature.FeatureEvolution;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.RenamedVariables;
import io.sparknd.table.internal.feature.StateRecord;
import io.sparknd.table.internal.feature.StoredTypes;
import io.sparknd.table.internal.feature.TimeToLive;
import io.sparknd.table.internal.feature.VariableOptions;
import io.sparknd.table.internal.store.TableCatalogs;
import io.sparknd.table.options.Variable;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import org.apache.iceberg.Table;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.DefaultValue;
import org.apache.spark.sql.connector.catalog.TableChange;
import org.apache.spark.sql.types.DataType;

/**
 * An {@code ALTER TABLE} of a feature table. What concerns variables, also their state and
 * properties, changes here; the rest is left to Iceberg.
 *
 * @param table full name of the table, quoted as in SQL
 */
record FeatureAlteration(SparkSession spark, String table) {

  /**
   * Applies the changes that concern variables.
   *
   * @return the changes that are left to Iceberg
   * @throws io.sparknd.tensor.SparkNdException if a change is refused
   */
  TableChange[] apply(TableChange... changes) {
    List<TableChange> rest = new ArrayList<>();
    List<TableChange.AddColumn> added = new ArrayList<>();
    List<TableChange.DeleteColumn> dropped = new ArrayList<>();
    List<TableChange.UpdateColumnDefaultValue> defaults = new ArrayList<>();
    Map<String, Optional<String>> properties = new HashMap<>();
    for (TableChange change : changes) {
      if (change instanceof TableChange.AddColumn add) {
        added.add(add);
        rest.addAll(details(add));
      } else if (change instanceof TableChange.DeleteColumn delete) {
        dropped.add(delete);
      } else if (change instanceof TableChange.UpdateColumnDefaultValue update) {
        defaults.add(update);
      } else if (change instanceof TableChange.SetProperty set && isOurs(set.property())) {
        properties.put(set.property(), Optional.of(set.value()));
      } else if (change instanceof TableChange.RemoveProperty remove && isOurs(remove.property())) {
        properties.put(remove.property(), Optional.empty());
      } else if (!column(change)) {
        rest.add(change);
        rest.addAll(timeToLive(change));
      }
    }
    if (!dropped.isEmpty() && dropped.size() < changes.length) {
      throw CatalogErrors.replacedColumns(table);
    }
    if (!properties.isEmpty()) {
      repair(properties, rest);
    }
    add(added);
    drop(dropped);
    declare(properties);
    fill(defaults);
    return rest.toArray(TableChange[]::new);
  }

  /** Moves changes that end an error, for which the table cannot be opened, to those of Iceberg. */
  private void repair(Map<String, Optional<String>> changes, List<TableChange> rest) {
    Table loaded = TableCatalogs.load(spark, table).table();
    Map<String, String> records = RenamedVariables.accepted(loaded, changes.keySet());
    boolean areRemovals = changes.values().stream().allMatch(Optional::isEmpty);
    if (StoredTypes.restores(loaded.properties(), changes)
        || StateRecord.restores(loaded.properties(), changes)) {
      changes.forEach((key, value) -> rest.add(change(key, value)));
      changes.clear();
    } else if (areRemovals
        && VariableOptions.unknown(loaded.properties(), loaded.schema())
            .containsAll(changes.keySet())) {
      changes.forEach((key, value) -> rest.add(change(key, value)));
      changes.clear();
    } else if (areRemovals && records.keySet().equals(changes.keySet())) {
      records.forEach((key, id) -> rest.add(TableChange.setProperty(key, id)));
      changes.clear();
    }
  }

  /** Returns the changes of records that follow from one of the column of the time to live. */
  private List<TableChange> timeToLive(TableChange change) {
    Optional<String> column = Optional.empty();
    if (change instanceof TableChange.SetProperty set && isTimeToLive(set.property())) {
      column = Optional.of(set.value());
    } else if (!(change instanceof TableChange.RemoveProperty remove
        && isTimeToLive(remove.property()))) {
      return List.of();
    }
    Table loaded = TableCatalogs.load(spark, table).table();
    Map<String, String> before = loaded.properties();
    Map<String, String> next = StoredTypes.changed(before, Map.of(TimeToLive.COLUMN, column));
    Map<String, String> records = ColumnRecords.of(next, loaded.schema());
    List<TableChange> changes = new ArrayList<>();
    records.keySet().stream()
        .filter(key -> !before.containsKey(key))
        .forEach(key -> changes.add(TableChange.setProperty(key, records.get(key))));
    ColumnRecords.unnamed(next).forEach(key -> changes.add(TableChange.removeProperty(key)));
    return changes;
  }

  private static boolean isTimeToLive(String property) {
    return property.equals(TimeToLive.COLUMN);
  }

  private static TableChange change(String property, Optional<String> value) {
    return value
        .map(text -> TableChange.setProperty(property, text))
        .orElseGet(() -> TableChange.removeProperty(property));
  }

  private void add(List<TableChange.AddColumn> added) {
    if (!added.isEmpty()) {
      List<Variable> variables = added.stream().map(this::variable).toList();
      evolve(evolution -> evolution.add(variables));
    }
  }

  private void drop(List<TableChange.DeleteColumn> dropped) {
    if (!dropped.isEmpty()) {
      evolve(evolution -> drop(dropped, evolution));
    }
  }

  private void drop(List<TableChange.DeleteColumn> dropped, FeatureEvolution evolution) {
    List<String> known = evolution.stored().format().variableNames();
    evolution.drop(
        dropped.stream()
            .filter(
                delete ->
                    !Boolean.TRUE.equals(delete.ifExists())
                        || known.contains(single(delete.fieldNames())))
            .map(delete -> single(delete.fieldNames()))
            .toList());
  }

  private void evolve(Consumer<FeatureEvolution> change) {
    FeatureEvolution.apply(spark, table, change);
  }

  private static boolean isOurs(String property) {
    return FeatureProperties.isOfAxisOrVariable(property);
  }

  /** Properties that are there are of a column that another program dropped. */
  private Variable variable(TableChange.AddColumn add) {
    String name = single(add.fieldNames());
    if (!add.isNullable()) {
      throw CatalogErrors.requiredVariable(table, name);
    }
    return FeatureDefinition.withDefault(
        FeatureProperties.variable(name, add.dataType(), Map.of()), add.defaultValue());
  }

  private String single(String[] names) {
    if (names.length > 1) {
      throw CatalogErrors.nestedColumn(table, SqlNames.joined(List.of(names)));
    }
    return names[0];
  }

  /** Returns comment and position of an added column, as changes of a column that exists. */
  private static List<TableChange> details(TableChange.AddColumn add) {
    List<TableChange> details = new ArrayList<>();
    if (add.comment() != null) {
      details.add(TableChange.updateColumnComment(add.fieldNames(), add.comment()));
    }
    if (add.position() != null) {
      details.add(TableChange.updateColumnPosition(add.fieldNames(), add.position()));
    }
    return details;
  }

  /** Applies a change of a column; returns false if it is left to Iceberg. */
  private boolean column(TableChange change) {
    if (change instanceof TableChange.RenameColumn rename) {
      if (isBack(rename)) {
        return false;
      }
      String from = single(rename.fieldNames());
      evolve(evolution -> evolution.rename(from, rename.newName()));
      return true;
    }
    if (change instanceof TableChange.UpdateColumnType type) {
      String[] names = type.fieldNames();
      if (names.length > 1) {
        throw CatalogErrors.columnType(table, SqlNames.joined(List.of(names)));
      }
      evolve(evolution -> evolution.widen(names[0], type.newDataType()));
      return true;
    }
    if (change instanceof TableChange.UpdateColumnNullability nullability) {
      requireNullable(nullability);
    }
    return false;
  }

  /** A variable may become one that can be NULL, as if SparkND had made it; a key may not. */
  private void requireNullable(TableChange.UpdateColumnNullability change) {
    String name = single(change.fieldNames());
    requireVariable(name, TableCatalogs.load(spark, table).table());
    if (!change.nullable()) {
      throw CatalogErrors.requiredVariable(table, name);
    }
  }

  private void requireVariable(String column, Table loaded) {
    if (FeatureProperties.keyColumns(loaded.properties()).contains(column)) {
      throw CatalogErrors.keyColumn(table, column);
    }
  }

  /** Sets or removes fill values, as defaults of columns declare them. */
  private void fill(List<TableChange.UpdateColumnDefaultValue> defaults) {
    if (defaults.isEmpty()) {
      return;
    }
    Table loaded = TableCatalogs.load(spark, table).table();
    Map<String, Optional<String>> fills = new HashMap<>();
    for (TableChange.UpdateColumnDefaultValue update : defaults) {
      String name = single(update.fieldNames());
      requireVariable(name, loaded);
      DataType type = SparkSchemaUtil.convert(loaded.schema().asStruct().field(name).type());
      fills.put(
          name,
          Optional.ofNullable(update.newCurrentDefault())
              .map(DefaultValue::getSql)
              .filter(sql -> !sql.isEmpty()) // DROP DEFAULT
              .flatMap(sql -> DefaultClause.text(sql, name, type)));
    }
    evolve(evolution -> evolution.fill(fills));
  }

  /**
   * Returns whether a column gets the name that its variable's properties still have, or another
   * one on the way to it: names of two columns are exchanged by a third.
   */
  private boolean isBack(TableChange.RenameColumn rename) {
    Table loaded = TableCatalogs.load(spark, table).table();
    String from = single(rename.fieldNames());
    return RenamedVariables.isMisnamed(loaded, from)
        || RenamedVariables.newName(loaded, rename.newName()).filter(from::equals).isPresent();
  }

  private void declare(Map<String, Optional<String>> changes) {
    for (String property : changes.keySet()) {
      if (!FeatureProperties.isOfVariable(property) || FeatureProperties.isRecord(property)) {
        throw CatalogErrors.fixedProperty(table, property);
      }
    }
    if (!changes.isEmpty()) {
      evolve(evolution -> evolution.declare(changes, new StoredValues(spark)));
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.types.Types;

/**
 * Records of the field ids of columns beside the properties that name them: those of variables,
 * columns that order updates, and that of the time to live. Other engines rename, exchange, drop
 * and add columns without these properties, and expire the schemas that tell.
 */
public final class ColumnRecords {
  /** The option of a variable that has its column's field id. */
  static final String OPTION = "field-id";

  private ColumnRecords() {}

  /**
   * Returns the records of the columns that properties name.
   *
   * @param schema a schema with the field ids that the table has
   */
  public static Map<String, String> of(Map<String, String> properties, Schema schema) {
    Map<String, String> records = new TreeMap<>();
    for (String name : named(properties)) {
      column(schema, name)
          .ifPresent(column -> records.put(key(name), Integer.toString(column.fieldId())));
    }
    return records;
  }

  /**
   * Returns the records of the columns that properties name, of the state of variables, and of the
   * time zones of new windows.
   *
   * @param table the table's name, for messages
   * @param schema as for {@link #of}
   */
  public static Map<String, String> withState(
      String table, Map<String, String> properties, Schema schema) {
    Map<String, String> records = of(properties, schema);
    FeatureFormat format = FeatureProperties.format(table, schema, properties, 0);
    records.putAll(StateRecord.all(format));
    records.putAll(WindowZones.declared(properties, format));
    return records;
  }

  /** Adds the records to a transaction that changed columns or properties. */
  static void update(String table, Transaction transaction) {
    Table changed = transaction.table();
    Map<String, String> properties = changed.properties();
    Map<String, String> records = withState(table, properties, changed.schema());
    Set<String> removed = new TreeSet<>(unnamed(properties));
    removed.addAll(StateRecord.ofColumns(properties, changed.schema()));
    removed.removeAll(records.keySet());
    if (!removed.isEmpty() || !properties.entrySet().containsAll(records.entrySet())) {
      UpdateProperties update = transaction.updateProperties();
      removed.forEach(update::remove);
      records.forEach(update::set);
      update.commit();
    }
  }

  /** Returns the records of columns that no other property names. */
  public static Set<String> unnamed(Map<String, String> properties) {
    Set<String> columns = recorded(properties);
    columns.removeAll(named(properties));
    return columns.stream().map(ColumnRecords::key).collect(Collectors.toSet());
  }

  /** Returns the name of the property with a column's field id. */
  public static String key(String column) {
    return FeatureProperties.key(column, OPTION);
  }

  /** Returns the columns that properties other than records name. */
  public static Set<String> named(Map<String, String> properties) {
    Set<String> names = new TreeSet<>(FeatureProperties.described(properties));
    for (String variable : Set.copyOf(names)) {
      Optional.ofNullable(properties.get(FeatureProperties.key(variable, "order")))
          .ifPresent(names::add);
    }
    Optional.ofNullable(properties.get(TimeToLive.COLUMN)).ifPresent(names::add);
    return names;
  }

  /** Returns the names of the columns that have a record. */
  static Set<String> recorded(Map<String, String> properties) {
    Set<String> names = new TreeSet<>();
    for (String property : properties.keySet()) {
      if (FeatureProperties.isOfVariable(property) && property.endsWith("." + OPTION)) {
        names.addAll(FeatureProperties.named(List.of(property)));
      }
    }
    return names;
  }

  /**
   * Returns the recorded field id of a column.
   *
   * @return empty if the table is from before there were records, or it was removed
   * @throws io.sparknd.tensor.SparkNdException if it is no number
   */
  static Optional<Integer> id(Map<String, String> properties, String column) {
    return Optional.ofNullable(properties.get(key(column)))
        .map(text -> Math.toIntExact(FeatureProperties.positive(key(column), text)));
  }

  /** Returns the column of a name, which has the same case. */
  public static Optional<Types.NestedField> column(Schema schema, String name) {
    return schema.columns().stream().filter(field -> field.name().equals(name)).findFirst();
  }
}

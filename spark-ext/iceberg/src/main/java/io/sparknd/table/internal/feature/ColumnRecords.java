/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/**
 * Records of the field ids of variables' columns beside the properties that describe the variables.
 * Properties name columns; other engines rename, exchange, drop and add columns without them, and
 * expire the schemas that tell.
 */
public final class ColumnRecords {
  /** The option of a variable that has its column's field id. */
  static final String OPTION = "field-id";

  private ColumnRecords() {}

  /**
   * Returns the records of the variables that properties describe.
   *
   * @param schema a schema with the field ids that the table has
   */
  static Map<String, String> of(Map<String, String> properties, Schema schema) {
    Map<String, String> records = new TreeMap<>();
    for (String variable : FeatureProperties.described(properties)) {
      column(schema, variable)
          .ifPresent(
              column ->
                  records.put(
                      FeatureProperties.key(variable, OPTION), Integer.toString(column.fieldId())));
    }
    return records;
  }

  /** Returns properties with the records of the variables that they describe. */
  public static Map<String, String> with(Map<String, String> properties, Schema schema) {
    Map<String, String> all = new TreeMap<>(properties);
    all.putAll(of(properties, schema));
    return all;
  }

  /**
   * Returns the recorded field id of a variable's column.
   *
   * @return empty if the table is from before there were records, or it was removed
   * @throws io.sparknd.tensor.SparkNdException if it is no number
   */
  static Optional<Integer> id(Map<String, String> properties, String variable) {
    String key = FeatureProperties.key(variable, OPTION);
    return Optional.ofNullable(properties.get(key))
        .map(text -> Math.toIntExact(FeatureProperties.positive(key, text)));
  }

  /** Returns the column of a name, which has the same case. */
  static Optional<Types.NestedField> column(Schema schema, String name) {
    return schema.columns().stream().filter(field -> field.name().equals(name)).findFirst();
  }
}

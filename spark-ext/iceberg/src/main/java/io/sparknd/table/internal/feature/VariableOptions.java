/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import io.sparknd.table.internal.FeatureErrors;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.apache.commons.text.similarity.LevenshteinDistance;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;

/**
 * Properties of variables that are none of SparkND's: misspelt ones, or those of a later version.
 * Without what they say, updates would be combined with stored values in another way.
 */
public final class VariableOptions {
  private VariableOptions() {}

  /**
   * Checks that all properties of the columns of a table are known. Those of a column that another
   * engine dropped stay without effect.
   *
   * @param table the table's name, for the message
   * @throws io.sparknd.tensor.SparkNdException if one is unknown
   */
  static void requireKnown(String table, Map<String, String> properties, Schema schema) {
    for (String property : unknown(properties, schema)) {
      throw FeatureErrors.unknownVariableOption(table, property, nearest(property, schema));
    }
  }

  /** Returns the properties of columns with an unknown option. */
  public static Set<String> unknown(Map<String, String> properties, Schema schema) {
    Set<String> names =
        schema.columns().stream().map(Types.NestedField::name).collect(Collectors.toSet());
    return properties.keySet().stream()
        .filter(property -> names.stream().anyMatch(name -> isOf(name, property)))
        .filter(property -> !isKnown(property))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  private static boolean isOf(String variable, String property) {
    return property.startsWith(FeatureProperties.key(variable, ""));
  }

  /** A property of another column, whose name goes on with a dot, is that column's. */
  private static boolean isKnown(String property) {
    return FeatureProperties.OPTIONS.contains(property.substring(property.lastIndexOf('.') + 1));
  }

  private static String nearest(String property, Schema schema) {
    LevenshteinDistance distance = LevenshteinDistance.getDefaultInstance();
    return schema.columns().stream()
        .map(Types.NestedField::name)
        .filter(name -> isOf(name, property))
        .flatMap(
            name ->
                FeatureProperties.OPTIONS.stream()
                    .map(option -> FeatureProperties.key(name, option))
                    .filter(known -> !FeatureProperties.isRecord(known)))
        .min(Comparator.comparingInt(known -> distance.apply(known, property)))
        .orElseThrow();
  }
}

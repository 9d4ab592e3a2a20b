/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.ListedState;
import io.sparknd.table.internal.store.FormatNumber;
import io.sparknd.table.internal.store.TableProperties;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureTableSpec.KeyField;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.Transform;

/**
 * The definition of a feature table in a {@code CREATE TABLE}: its columns, and its properties as
 * they will be stored.
 *
 * @param table full name of the table
 */
record FeatureDefinition(
    String table, Column[] columns, Transform[] partitions, Map<String, String> properties) {

  /** Properties that Spark adds, or Iceberg shows in Spark, and does not store. */
  private static final Set<String> OF_SPARK =
      Set.of(
          "provider",
          "owner",
          "external",
          "is_managed_location",
          "format",
          "current-snapshot-id",
          "sort-order",
          "identifier-fields");

  private static final Set<String> PROVIDERS = Set.of("iceberg", "parquet");
  private static final String OPTION = "option.";

  /**
   * Returns the specification of the table.
   *
   * @throws SparkNdException if the definition contradicts itself
   */
  FeatureTableSpec spec() {
    requireKnown();
    List<KeyField> key = key();
    Set<String> names = new HashSet<>();
    key.forEach(field -> names.add(field.name()));
    List<Variable> variables = new ArrayList<>();
    for (Column column : columns) {
      if (!names.contains(column.name())) {
        variables.add(variable(column));
      }
    }
    String size = properties.get(FeatureProperties.SIZE);
    FeatureTableSpec spec =
        new FeatureTableSpec(
            key,
            size == null
                ? OptionalLong.empty()
                : OptionalLong.of(FeatureProperties.positive(FeatureProperties.SIZE, size)),
            ListedState.without(variables),
            Optional.ofNullable(properties.get(FeatureProperties.BUCKET_COLUMN)),
            Optional.empty(),
            Optional.empty(),
            others());
    return partitions.length == 0
        ? spec
        : spec.size().isPresent() ? truncated(spec) : bucketed(spec);
  }

  /** Checks the provider, and that properties name variables that exist. */
  private void requireKnown() {
    String provider = properties.getOrDefault("provider", "iceberg");
    if (!PROVIDERS.contains(provider.toLowerCase(Locale.ROOT))) {
      throw CatalogErrors.provider(table, provider);
    }
    FormatNumber.requireKnown(table, properties);
    List<String> names = Arrays.stream(columns).map(Column::name).toList();
    List<String> described =
        properties.keySet().stream().filter(FeatureProperties::isOfVariable).toList();
    for (String variable : FeatureProperties.named(described)) {
      if (!names.contains(variable)) {
        throw FeatureErrors.noVariable(table, variable, names);
      }
    }
  }

  /** Returns the comments of columns, by name. */
  Map<String, String> comments() {
    Map<String, String> comments = new TreeMap<>();
    for (Column column : columns) {
      if (column.comment() != null) {
        comments.put(column.name(), column.comment());
      }
    }
    return comments;
  }

  private List<KeyField> key() {
    return FeatureProperties.keyColumns(properties).stream()
        .map(
            name ->
                Arrays.stream(columns)
                    .filter(column -> column.name().equals(name))
                    .findFirst()
                    .map(column -> new KeyField(name, column.dataType().sql()))
                    .orElseThrow(() -> CatalogErrors.missingKey(table, name)))
        .toList();
  }

  private Variable variable(Column column) {
    if (!column.nullable()) {
      throw CatalogErrors.requiredVariable(table, column.name());
    }
    return withDefault(
        FeatureProperties.variable(column.name(), column.dataType(), properties),
        column.defaultValue());
  }

  /**
   * Returns the variable with a column's default as its fill value, unless it has one.
   *
   * @throws SparkNdException if the default cannot be a fill value
   */
  static Variable withDefault(Variable variable, ColumnDefaultValue value) {
    return value == null || variable.fill().isPresent()
        ? variable
        : DefaultClause.text(value.getSql(), variable.name(), variable.type())
            .map(variable::withFill)
            .orElse(variable);
  }

  /**
   * Returns the properties that do not describe the axis or the variables, but the number of rows
   * of a block, and not those that record snapshots of another table.
   */
  private Map<String, String> others() {
    Map<String, String> others = new TreeMap<>(properties);
    others.keySet().removeAll(OF_SPARK);
    others.keySet().removeIf(FeatureDefinition::isDerived);
    String rows = properties.get(TableProperties.ROWS_PER_BLOCK);
    if (rows != null && properties.containsKey(FeatureProperties.SIZE)) {
      others.put(TableProperties.ROWS_PER_BLOCK, rows);
    }
    return others;
  }

  private static boolean isDerived(String property) {
    return property.startsWith(OPTION)
        || isDescribed(property)
        || TableProperties.isOfExpired(property);
  }

  /** Returns whether the specification has what a property says; variables have no time zone. */
  private static boolean isDescribed(String property) {
    return FeatureProperties.isOfAxisOrVariable(property) && !FeatureProperties.isZone(property);
  }

  private FeatureTableSpec bucketed(FeatureTableSpec spec) {
    Number buckets = parameter("bucket");
    String column = partitioned();
    if (spec.key().stream().noneMatch(field -> field.name().equals(column))) {
      throw partitioning();
    }
    FeatureTableSpec bucketed = spec.withBuckets(buckets.intValue());
    return column.equals(spec.key().get(0).name()) ? bucketed : bucketed.bucketedBy(column);
  }

  /** The partitions of a numbered axis are its blocks. */
  private FeatureTableSpec truncated(FeatureTableSpec spec) {
    String rows = parameter("truncate").toString();
    String given = spec.properties().getOrDefault(TableProperties.ROWS_PER_BLOCK, rows);
    if (!partitioned().equals(spec.key().get(0).name()) || !rows.equals(given)) {
      throw partitioning();
    }
    return spec.withProperty(TableProperties.ROWS_PER_BLOCK, rows);
  }

  /** Returns the number that a partition transform has. */
  private Number parameter(String transform) {
    if (partitions.length == 1
        && partitions[0].name().equals(transform)
        && partitions[0].references().length == 1
        && partitions[0].arguments()[0] instanceof Literal<?> literal
        && literal.value() instanceof Number number) {
      return number;
    }
    throw partitioning();
  }

  /** Returns the column that the first partition transform is of. */
  private String partitioned() {
    return String.join(".", partitions[0].references()[0].fieldNames());
  }

  private SparkNdException partitioning() {
    return CatalogErrors.partitioning(
        table, String.join(", ", Arrays.stream(partitions).map(Transform::describe).toList()));
  }
}

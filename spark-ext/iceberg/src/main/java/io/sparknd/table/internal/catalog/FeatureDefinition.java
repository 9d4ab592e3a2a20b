/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.feature.FillValues;
import io.sparknd.table.internal.store.FormatNumber;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.FeatureTableSpec.KeyField;
import io.sparknd.table.options.Variable;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
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
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.connector.catalog.Column;
import org.apache.spark.sql.connector.catalog.ColumnDefaultValue;
import org.apache.spark.sql.connector.expressions.Literal;
import org.apache.spark.sql.connector.expressions.Transform;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/**
 * The definition of a feature table in a {@code CREATE TABLE}: its columns, and its properties as
 * they will be stored.
 *
 * @param table full name of the table
 */
record FeatureDefinition(
    String table, Column[] columns, Transform[] partitions, Map<String, String> properties) {

  /** Properties that Spark adds, and Iceberg does not store. */
  private static final Set<String> OF_SPARK =
      Set.of("provider", "owner", "external", "is_managed_location");

  private static final Set<String> PROVIDERS = Set.of("iceberg", "parquet");
  private static final String OPTION = "option.";

  /**
   * Returns the specification of the table.
   *
   * @throws io.sparknd.tensor.SparkNdException if the definition contradicts itself
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
            variables,
            Optional.ofNullable(properties.get(FeatureProperties.BUCKET_COLUMN)),
            Optional.empty(),
            Optional.empty(),
            others());
    return partitions.length == 0 ? spec : bucketed(spec);
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

  /** Returns the variable with a column's default as its fill value, unless it has one. */
  static Variable withDefault(Variable variable, ColumnDefaultValue value) {
    return value == null || variable.fill().isPresent()
        ? variable
        : text(value, variable).map(variable::withFill).orElse(variable);
  }

  /**
   * Returns the text of a default; empty for NULL. An instant is not the session's local time.
   *
   * @throws io.sparknd.tensor.SparkNdException if the default is bytes that are no text
   */
  private static Optional<String> text(ColumnDefaultValue value, Variable variable) {
    DataType type = variable.type();
    boolean isInstant = type.equals(DataTypes.TimestampType);
    org.apache.spark.sql.Column given = functions.expr(value.getSql());
    Row row =
        SparkSession.active()
            .range(1)
            .select(
                isInstant
                    ? functions.unix_micros(given.cast(type))
                    : given.cast("string").cast("binary"))
            .first();
    if (row.isNullAt(0)) {
      return Optional.empty();
    }
    return Optional.of(
        isInstant
            ? FillValues.instant(row.getLong(0))
            : utf8(variable.name(), (byte[]) row.get(0)));
  }

  private static String utf8(String variable, byte[] bytes) {
    try {
      return StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(bytes)).toString();
    } catch (CharacterCodingException e) {
      throw CatalogErrors.defaultOfBytes(variable, bytes);
    }
  }

  /** Returns the properties that do not describe the axis or the variables. */
  private Map<String, String> others() {
    Map<String, String> others = new TreeMap<>(properties);
    others.keySet().removeAll(OF_SPARK);
    others.keySet().removeIf(key -> key.startsWith(OPTION) || isDescribed(key));
    return others;
  }

  /** Returns whether the specification has what a property says; variables have no time zone. */
  private static boolean isDescribed(String property) {
    return FeatureProperties.isOfAxisOrVariable(property) && !FeatureProperties.isZone(property);
  }

  private FeatureTableSpec bucketed(FeatureTableSpec spec) {
    String found = String.join(", ", Arrays.stream(partitions).map(Transform::describe).toList());
    if (partitions.length > 1
        || !partitions[0].name().equals("bucket")
        || partitions[0].references().length != 1
        || !(partitions[0].arguments()[0] instanceof Literal<?> buckets)
        || spec.size().isPresent()) {
      throw CatalogErrors.partitioning(table, found);
    }
    String column = String.join(".", partitions[0].references()[0].fieldNames());
    if (spec.key().stream().noneMatch(field -> field.name().equals(column))) {
      throw CatalogErrors.partitioning(table, found);
    }
    FeatureTableSpec bucketed = spec.withBuckets(((Number) buckets.value()).intValue());
    return column.equals(spec.key().get(0).name()) ? bucketed : bucketed.bucketedBy(column);
  }
}

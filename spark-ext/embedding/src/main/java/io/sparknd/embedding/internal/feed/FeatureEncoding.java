/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import static org.apache.spark.sql.functions.array;
import static org.apache.spark.sql.functions.coalesce;
import static org.apache.spark.sql.functions.lit;
import static org.apache.spark.sql.functions.transform;
import static org.apache.spark.sql.functions.when;
import static org.apache.spark.sql.functions.xxhash64;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.embedding.feed.KeySpace;
import io.sparknd.embedding.feed.TrainingColumns;
import io.sparknd.embedding.internal.FeedErrors;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.BooleanType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.NumericType;

/**
 * Encodes the columns of a Dataset as numbers: label and dense features as float, categorical
 * features as bigint, multi-valued ones as arrays of it, in this order. Where a missing value is an
 * error, it stays null.
 */
final class FeatureEncoding {
  private final Dataset<Row> rows;
  private final ColumnNameMatcher names;

  private FeatureEncoding(Dataset<Row> rows) {
    this.rows = rows;
    this.names = ColumnNameMatcher.in(rows);
  }

  /**
   * Returns the encoded columns, named by their positions.
   *
   * @throws io.sparknd.tensor.SparkNdException if a column is missing, ambiguous or of another
   *     type, or there is no feature
   */
  static Dataset<Row> encoded(Dataset<Row> rows, TrainingColumns columns) {
    if (columns.dense().isEmpty()
        && columns.categorical().isEmpty()
        && columns.multiValued().isEmpty()) {
      throw FeedErrors.noFeatures();
    }
    FeatureEncoding encoding = new FeatureEncoding(rows);
    encoding.requireDistinct(FeatureShape.of(columns).names());
    List<Column> all = new ArrayList<>();
    columns.label().ifPresent(label -> all.add(encoding.number(label)));
    columns.dense().forEach(feature -> all.add(encoding.dense(feature)));
    columns.categorical().forEach(feature -> all.add(encoding.categorical(feature)));
    columns.multiValued().forEach(feature -> all.add(encoding.list(feature)));
    encoding.requireSharedKeys(columns);
    Column[] named = new Column[all.size()];
    for (int i = 0; i < named.length; i++) {
      named[i] = all.get(i).as(name(i));
    }
    return rows.select(named);
  }

  /** Names that differ in case alone may be one column, such as the label as a feature. */
  private void requireDistinct(List<String> columns) {
    Set<Integer> seen = new HashSet<>();
    for (String column : columns) {
      if (!seen.add(names.ordinal(rows.columns(), column))) {
        throw FeedErrors.duplicateFeature(column);
      }
    }
  }

  /** Columns of one space share rows; the keys of strings are others than those of integers. */
  private void requireSharedKeys(TrainingColumns columns) {
    Map<String, String> bySpace = new HashMap<>();
    Stream.concat(columns.categorical().stream(), columns.multiValued().stream())
        .filter(feature -> feature.keys().kind() == KeySpace.Kind.HASHED)
        .forEach(
            feature -> {
              String column = feature.column();
              String other = bySpace.putIfAbsent(space(feature), column);
              if (other != null && isInteger(other) != isInteger(column)) {
                throw FeedErrors.mixedKeys(
                    space(feature),
                    column,
                    type(column).simpleString(),
                    other,
                    type(other).simpleString());
              }
            });
  }

  private boolean isInteger(String column) {
    return InternalRows.isInteger(element(type(column)));
  }

  private static DataType element(DataType type) {
    return type instanceof ArrayType list ? list.elementType() : type;
  }

  /** Returns the name of an encoded column. */
  static String name(int position) {
    return "c" + position;
  }

  private DataType type(String column) {
    return rows.schema().apply(names.ordinal(rows.columns(), column)).dataType();
  }

  private Column column(String column) {
    String found = rows.columns()[names.ordinal(rows.columns(), column)];
    return SqlNames.column(found);
  }

  private Column number(String column) {
    DataType type = type(column);
    if (!(type instanceof NumericType) && !(type instanceof BooleanType)) {
      throw FeedErrors.featureType(column, type.simpleString(), "numbers or booleans");
    }
    return column(column).cast(DataTypes.FloatType);
  }

  private Column dense(TrainingColumns.Dense feature) {
    Column value = number(feature.column());
    return feature.missing().map(missing -> coalesce(value, lit(missing))).orElse(value);
  }

  private Column categorical(TrainingColumns.Categorical feature) {
    DataType type = type(feature.column());
    requireKeys(feature, type, type, "");
    return key(feature, column(feature.column()), type);
  }

  private Column list(TrainingColumns.Categorical feature) {
    DataType type = type(feature.column());
    DataType element = type instanceof ArrayType list ? list.elementType() : DataTypes.NullType;
    requireKeys(feature, type, element, "arrays of ");
    return coalesce(
        transform(column(feature.column()), value -> key(feature, value, element)),
        array().cast(DataTypes.createArrayType(DataTypes.LongType)));
  }

  private static void requireKeys(
      TrainingColumns.Categorical feature, DataType type, DataType element, String arrays) {
    boolean areNumbers = feature.keys().kind() == KeySpace.Kind.NUMBERED;
    if (!InternalRows.isInteger(element) && (areNumbers || !element.equals(DataTypes.StringType))) {
      throw FeedErrors.featureType(
          feature.column(),
          type.simpleString(),
          arrays + (areNumbers ? "integers" : "integers or strings"));
    }
  }

  /** Returns the name of a space of hashed keys. */
  private static String space(TrainingColumns.Categorical feature) {
    return feature.keys().name().orElse(feature.column());
  }

  /** Returns the id of a value, or of numbered keys what {@link NumberedIds} has for it. */
  private static Column key(TrainingColumns.Categorical feature, Column value, DataType type) {
    KeySpace keys = feature.keys();
    Column plain = InternalRows.isInteger(type) ? value.cast(DataTypes.LongType) : value;
    if (keys.kind() == KeySpace.Kind.NUMBERED) {
      return NumberedIds.encoded(keys, plain);
    }
    Column key =
        keys.kind() == KeySpace.Kind.HASHED
            ? xxhash64(lit(space(feature)), plain)
            : InternalRows.isInteger(type) ? plain : xxhash64(plain);
    return switch (keys.missing()) {
      case OWN_KEY -> key; // xxhash64 skips nulls
      case CHOSEN_ID -> when(value.isNull(), lit(keys.missingId().orElseThrow())).otherwise(key);
      case ERROR -> when(value.isNotNull(), key);
    };
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import org.apache.iceberg.spark.SparkSchemaUtil;
import org.apache.iceberg.types.Type;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.types.DataType;

/**
 * Specification of a feature table: the axis that its variables share, and the variables.
 * Immutable; each call returns a new instance.
 *
 * @param key columns of the key, in the order in which rows are sorted; of type string, bigint,
 *     int, date, binary or uuid
 * @param size for a numbered axis, whose one key column is a bigint from 0 to {@code size - 1};
 *     empty for a labelled axis
 * @param bucketColumn the key column whose bucket decides where a row is stored; empty for the
 *     first
 * @param expectedRows expected number of rows, from which the number of buckets is computed
 * @param buckets number of buckets; empty for one computed from {@code expectedRows}
 * @param properties additional properties of the table
 */
public record FeatureTableSpec(
    List<KeyField> key,
    OptionalLong size,
    List<Variable> variables,
    Optional<String> bucketColumn,
    Optional<Long> expectedRows,
    Optional<Integer> buckets,
    Map<String, String> properties) {

  /**
   * A column of the key.
   *
   * @param type type in SQL, or {@code uuid}, which Iceberg has and Spark reads as string
   */
  public record KeyField(String name, String type) {
    private static final String UUID = "uuid";

    public KeyField {
      if (name.isBlank() || name.contains(",")) { // a property lists the names
        throw TableErrors.badTableColumn(name);
      }
    }

    /**
     * Returns the column's type in Iceberg.
     *
     * @throws io.sparknd.tensor.SparkNdException if it has a collation or a length
     */
    public Type iceberg() {
      if (type.strip().equalsIgnoreCase(UUID)) {
        return Types.UUIDType.get();
      }
      DataType sql = DataType.fromDDL(type);
      if (SqlTypes.isCollated(sql)) {
        throw FeatureErrors.collation(name, sql.simpleString());
      }
      if (SqlTypes.hasTextLength(sql)) {
        throw FeatureErrors.textLength(name, sql.simpleString(), "string");
      }
      return SparkSchemaUtil.convert(sql);
    }
  }

  public FeatureTableSpec {
    key = List.copyOf(key);
    variables = List.copyOf(variables);
    properties = Map.copyOf(properties);
    if (key.isEmpty()) {
      throw FeatureErrors.noKeyColumn();
    }
    if (size.isPresent() && size.getAsLong() < 1) {
      throw TableErrors.notPositive("size", size.getAsLong());
    }
    buckets.ifPresent(count -> requirePositive("buckets", count));
    expectedRows.ifPresent(rows -> requirePositive("expectedRows", rows));
    requireDistinct(key, variables);
  }

  private static void requirePositive(String what, long value) {
    if (value < 1) {
      throw TableErrors.notPositive(what, value);
    }
  }

  private static void requireDistinct(List<KeyField> key, List<Variable> variables) {
    List<String> names = new ArrayList<>();
    key.forEach(field -> names.add(field.name()));
    variables.forEach(variable -> names.add(variable.name()));
    long distinct = names.stream().map(name -> name.toLowerCase(Locale.ROOT)).distinct().count();
    if (distinct < names.size()) {
      throw TableErrors.duplicateColumn(names);
    }
  }

  private static FeatureTableSpec of(List<KeyField> key, OptionalLong size) {
    return new FeatureTableSpec(
        key, size, List.of(), Optional.empty(), Optional.empty(), Optional.empty(), Map.of());
  }

  /**
   * Returns the specification of a table with a labelled axis.
   *
   * @param type type of the key: string, bigint, int, date, binary or uuid. A key of type uuid is a
   *     string in Spark, in lower case
   */
  public static FeatureTableSpec keyedBy(String column, String type) {
    return of(List.of(new KeyField(column, type)), OptionalLong.empty());
  }

  /**
   * Returns the specification of a table with a numbered axis, whose key is a bigint.
   *
   * @param size number of entries; the table can grow
   */
  public static FeatureTableSpec numbered(String column, long size) {
    return of(List.of(new KeyField(column, "bigint")), OptionalLong.of(size));
  }

  /** Adds a column to the key of a labelled axis. */
  public FeatureTableSpec andKey(String column, String type) {
    List<KeyField> more = new ArrayList<>(key);
    more.add(new KeyField(column, type));
    return new FeatureTableSpec(
        more, size, variables, bucketColumn, expectedRows, buckets, properties);
  }

  public FeatureTableSpec with(Variable variable) {
    List<Variable> more = new ArrayList<>(variables);
    more.add(variable);
    return new FeatureTableSpec(key, size, more, bucketColumn, expectedRows, buckets, properties);
  }

  /** Buckets rows by this key column, which should have many values; by default the first. */
  public FeatureTableSpec bucketedBy(String column) {
    return new FeatureTableSpec(
        key, size, variables, Optional.of(column), expectedRows, buckets, properties);
  }

  public FeatureTableSpec withExpectedRows(long rows) {
    return new FeatureTableSpec(
        key, size, variables, bucketColumn, Optional.of(rows), buckets, properties);
  }

  public FeatureTableSpec withBuckets(int count) {
    return new FeatureTableSpec(
        key, size, variables, bucketColumn, expectedRows, Optional.of(count), properties);
  }

  /** Sets a property of the Iceberg table, such as {@code write.parquet.compression-codec}. */
  public FeatureTableSpec withProperty(String name, String value) {
    Map<String, String> more = new HashMap<>(properties);
    more.put(name, value);
    return new FeatureTableSpec(key, size, variables, bucketColumn, expectedRows, buckets, more);
  }

  /**
   * Declares how long rows live: {@link io.sparknd.table.FeatureTable#evictExpired} evicts those
   * whose time is older.
   *
   * @param age positive
   * @param column a column of type timestamp, such as a variable that is reduced by {@code max}
   */
  public FeatureTableSpec withTimeToLive(Duration age, String column) {
    return withProperty("sparknd.ttl", age.toString()).withProperty("sparknd.ttl-column", column);
  }
}

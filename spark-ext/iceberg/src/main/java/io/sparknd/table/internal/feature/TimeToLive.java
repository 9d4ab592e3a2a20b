/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.feature;

import static org.apache.spark.sql.functions.lit;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.ClampedTimes;
import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.TableErrors;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.apache.iceberg.Schema;
import org.apache.iceberg.types.Types;
import org.apache.spark.sql.Column;
import org.jspecify.annotations.Nullable;

/**
 * How long rows of a feature table live.
 *
 * @param age age from which rows are evicted, positive
 * @param column name of the timestamp column from which the age counts
 */
public record TimeToLive(Duration age, String column) {
  /** The age, as ISO 8601 writes durations: {@code P30D}. */
  public static final String AGE = "sparknd.ttl";

  /** The timestamp column. */
  public static final String COLUMN = "sparknd.ttl-column";

  /** Returns the properties that {@link #in} reads back. */
  public Map<String, String> properties() {
    return new TreeMap<>(Map.of(AGE, age.toString(), COLUMN, column));
  }

  /**
   * Returns what the properties of a table say; empty if they say nothing.
   *
   * @throws io.sparknd.tensor.SparkNdException if one of the two is missing or wrong
   */
  public static Optional<TimeToLive> in(Map<String, String> properties, Schema schema) {
    String age = properties.get(AGE);
    String column = properties.get(COLUMN);
    if (age == null && column == null) {
      return Optional.empty();
    }
    requireNoFill(timestamp(column, schema), properties, schema);
    return Optional.of(new TimeToLive(age(age), timestamp(column, schema)));
  }

  private static Duration age(@Nullable String text) {
    try {
      Duration age = text == null ? Duration.ZERO : Duration.parse(text);
      if (age.compareTo(Duration.ZERO) > 0) {
        return age;
      }
    } catch (DateTimeException e) {
      // reported below
    }
    throw TableErrors.badTableProperty(
        AGE, String.valueOf(text), "a positive duration such as 'P30D' or 'PT12H'");
  }

  private static String timestamp(@Nullable String column, Schema schema) {
    boolean isTimestamp =
        column != null
            && schema.columns().stream()
                .anyMatch(
                    field ->
                        field.name().equals(column)
                            && field.type().equals(Types.TimestampType.withZone()));
    if (column == null || !isTimestamp) {
      throw TableErrors.badTableProperty(
          COLUMN,
          String.valueOf(column),
          "the exact name of a column of type timestamp, with time zone");
    }
    return column;
  }

  /** A row's first update stores the fill values of its variables: all would seem to be as old. */
  private static void requireNoFill(String column, Map<String, String> properties, Schema schema) {
    Types.NestedField field = schema.findField(column);
    boolean hasFill =
        properties.containsKey(FeatureProperties.key(column, "fill"))
            || field.initialDefault() != null
            || field.writeDefault() != null;
    if (hasFill) {
      throw TableErrors.badTableProperty(
          COLUMN,
          column,
          "a column without a fill value, which rows that have had no time would be evicted by");
    }
  }

  /**
   * Returns the time to live of a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if it has none
   */
  public static TimeToLive of(StoredFeatures stored) {
    return in(stored.table().properties(), stored.table().schema())
        .orElseThrow(() -> FeatureErrors.noTimeToLive(stored.name()));
  }

  /** Returns the condition of rows that are older at {@code now}. */
  public Column expired(Instant now) {
    return SqlNames.column(column).lt(lit(ClampedTimes.before(now, age)));
  }
}

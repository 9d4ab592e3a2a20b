/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.columnar;

import org.apache.spark.sql.catalyst.CatalystTypeConverters;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.Function1;

/**
 * Converts values of one type between Spark's internal form and that of its public rows, in the
 * same way in every session: dates and timestamps become values of {@code java.time}, because
 * {@code java.sql.Date} lacks ten days of 1582, and decimals that do not fit are errors.
 *
 * <p>Spark's converters read settings when they are made. A task has those of its session only in a
 * SQL query, not in a job of an RDD.
 */
public final class ExternalValues {
  private static final SQLConf TO_EXTERNAL = conf("true");

  /** With java.time off, converters take values of {@code java.sql} as well. */
  private static final SQLConf TO_INTERNAL = conf("false");

  private final Function1<Object, Object> toExternal;
  private final Function1<Object, Object> toInternal;

  private ExternalValues(
      Function1<Object, Object> toExternal, Function1<Object, Object> toInternal) {
    this.toExternal = toExternal;
    this.toInternal = toInternal;
  }

  private static SQLConf conf(String javaTime) {
    SQLConf conf = new SQLConf();
    conf.setConfString(SQLConf.DATETIME_JAVA8API_ENABLED().key(), javaTime);
    conf.setConfString(SQLConf.ANSI_ENABLED().key(), "true");
    return conf;
  }

  /** Returns the converter of a type. */
  public static ExternalValues of(DataType type) {
    return new ExternalValues(
        SQLConf.withExistingConf(
            TO_EXTERNAL, () -> CatalystTypeConverters.createToScalaConverter(type)),
        SQLConf.withExistingConf(
            TO_INTERNAL, () -> CatalystTypeConverters.createToCatalystConverter(type)));
  }

  /** Returns a value of Spark's public rows. */
  public @Nullable Object external(@Nullable Object value) {
    return value == null ? null : toExternal.apply(value);
  }

  /**
   * Returns a value in Spark's internal form.
   *
   * @throws RuntimeException if it is no value of the type
   */
  public @Nullable Object internal(@Nullable Object value) {
    return value == null ? null : toInternal.apply(value);
  }
}

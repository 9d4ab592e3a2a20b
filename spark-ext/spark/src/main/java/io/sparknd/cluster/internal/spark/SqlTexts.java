/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.catalyst.util.StringUtils;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.unsafe.types.UTF8String;
import scala.Option;

/**
 * Reads texts as Spark's casts of them do, but all that cannot be read are told apart from NULL.
 */
public final class SqlTexts {
  private SqlTexts() {}

  /**
   * Returns an integer.
   *
   * @throws NumberFormatException if the text is not a bigint
   */
  public static long integer(String text) {
    return UTF8String.fromString(text).toLongExact();
  }

  /** Returns a time, in the session's zone if the text has none; empty if it is no time. */
  public static Optional<Instant> time(String text) {
    Option<Object> micros =
        DateTimeUtils.stringToTimestamp(
            UTF8String.fromString(text),
            DateTimeUtils.getZoneId(SQLConf.get().sessionLocalTimeZone()));
    return micros.isEmpty()
        ? Optional.empty()
        : Optional.of(Instant.EPOCH.plus((Long) micros.get(), ChronoUnit.MICROS));
  }

  /** Returns a number, infinity or NaN; empty if the text is none of them. */
  public static Optional<Double> number(String text) {
    try {
      return Optional.of(Double.valueOf(text));
    } catch (NumberFormatException e) {
      return Optional.ofNullable((Double) Cast.processFloatingPointSpecialLiterals(text, false));
    }
  }

  /** Returns a boolean; empty if the text is neither true nor false. */
  public static Optional<Boolean> flag(String given) {
    UTF8String text = UTF8String.fromString(given);
    boolean isTrue = StringUtils.isTrueString(text);
    return isTrue || StringUtils.isFalseString(text) ? Optional.of(isTrue) : Optional.empty();
  }
}

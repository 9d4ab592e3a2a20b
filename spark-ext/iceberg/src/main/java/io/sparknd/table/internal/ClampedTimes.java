/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;

/**
 * Times within those that Spark's timestamps and Iceberg's commit times have: earlier and later
 * ones are the first and the last of them.
 */
public final class ClampedTimes {
  private static final Instant FIRST = Instant.EPOCH.plus(Long.MIN_VALUE, ChronoUnit.MICROS);
  private static final Instant LAST = Instant.EPOCH.plus(Long.MAX_VALUE, ChronoUnit.MICROS);

  private ClampedTimes() {}

  /** Returns the timestamp that is a duration before a time. */
  public static Instant before(Instant time, Duration duration) {
    if (duration.compareTo(Duration.between(FIRST, time)) > 0) {
      return FIRST;
    }
    return duration.compareTo(Duration.between(LAST, time)) < 0 ? LAST : time.minus(duration);
  }

  /** Returns the last millisecond that is not after a time. */
  public static long millis(Instant time) {
    return before(time, Duration.ZERO).toEpochMilli();
  }
}

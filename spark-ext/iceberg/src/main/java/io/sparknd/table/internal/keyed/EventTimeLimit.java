/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import io.sparknd.table.internal.FeatureErrors;
import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.SparkNdException;
import java.io.Serializable;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;

/**
 * The time after which a batch has no events: its valid time, or that of the commit. A later event
 * would be in training sets before its time, and would make all true updates of its row late.
 *
 * @param reference in microseconds since 1970
 * @param isDeclared whether that is the valid time
 */
public record EventTimeLimit(long reference, boolean isDeclared) implements Serializable {
  /** What clocks may be wrong by, if the reference is the driver's clock. */
  private static final long TOLERANCE = TimeUnit.DAYS.toMicros(1);

  /** How much later times without a zone are if they are taken for those of UTC, at most. */
  private static final long ZONE_OFFSET = TimeUnit.HOURS.toMicros(14);

  /** Returns the limit of a batch that is committed now. */
  public static EventTimeLimit of(Optional<Instant> validAt) {
    return new EventTimeLimit(
        validAt
            .map(ValidTime::micros)
            .orElseGet(() -> ChronoUnit.MICROS.between(Instant.EPOCH, Instant.now())),
        validAt.isPresent());
  }

  /**
   * Returns the latest time that updates of a variable may have, in microseconds since 1970; the
   * greatest number if they may have any.
   *
   * @param order type of the column that orders the updates; null if there is none
   */
  long latest(VariableReduction reduction, @Nullable CellType order) {
    boolean isLimited = isDeclared || reduction.windows().isPresent();
    if (order == null || !isLimited) {
      return Long.MAX_VALUE;
    }
    DataType type = order.sql();
    long tolerance = isDeclared ? 0 : TOLERANCE;
    if (type.equals(DataTypes.TimestampType)) {
      return plus(tolerance);
    }
    return type.equals(DataTypes.TimestampNTZType) || type.equals(DataTypes.DateType)
        ? plus(tolerance + ZONE_OFFSET)
        : Long.MAX_VALUE;
  }

  private long plus(long micros) {
    return reference > Long.MAX_VALUE - micros ? Long.MAX_VALUE : reference + micros;
  }

  /**
   * Returns the error of an update of a later time.
   *
   * @param micros its time, in microseconds since 1970
   */
  SparkNdException exceeded(String table, String variable, String key, long micros) {
    Instant time = ValidTime.instant(micros);
    Instant limit = ValidTime.instant(reference);
    return isDeclared
        ? FeatureErrors.eventAfterValidAt(table, variable, key, time, limit)
        : FeatureErrors.futureEvent(table, variable, key, time, limit);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.keyed;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.table.internal.cell.CellType;
import io.sparknd.table.reduction.TimeWindows;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.Test;

/** Tests the latest times of updates. */
class EventTimeLimitTest {
  private static final Instant NOON = Instant.parse("2026-03-04T12:00:00Z");
  private static final long MICROS = TimeUnit.SECONDS.toMicros(NOON.getEpochSecond());
  private static final long HOUR = TimeUnit.HOURS.toMicros(1);
  private static final EventTimeLimit DECLARED = EventTimeLimit.of(Optional.of(NOON));
  private static final VariableReduction LAST = VariableReduction.last("seen");
  private static final VariableReduction WINDOWED =
      VariableReduction.count()
          .over("seen", TimeWindows.of(Duration.ofDays(1), Duration.ofDays(1)));

  private static CellType order(DataType type) {
    return new CellType.Elements(DType.INT64, Shape.of(), type);
  }

  @Test
  void aDeclaredTimeLimitsAllOrdersThatAreTimes() {
    for (VariableReduction reduction : new VariableReduction[] {LAST, WINDOWED}) {
      assertThat(DECLARED.latest(reduction, order(DataTypes.TimestampType))).isEqualTo(MICROS);
      for (DataType local : new DataType[] {DataTypes.TimestampNTZType, DataTypes.DateType}) {
        assertThat(DECLARED.latest(reduction, order(local))).isEqualTo(MICROS + 14 * HOUR);
      }
    }
    assertThat(DECLARED.latest(LAST, order(DataTypes.LongType))).isEqualTo(Long.MAX_VALUE);
    assertThat(DECLARED.latest(VariableReduction.add(), null)).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  void theClockLimitsWindowsByADay() {
    EventTimeLimit clock = new EventTimeLimit(MICROS, false);
    assertThat(clock.latest(WINDOWED, order(DataTypes.TimestampType)))
        .isEqualTo(MICROS + 24 * HOUR);
    assertThat(clock.latest(WINDOWED, order(DataTypes.DateType))).isEqualTo(MICROS + 38 * HOUR);
    assertThat(clock.latest(LAST, order(DataTypes.TimestampType))).isEqualTo(Long.MAX_VALUE);
    long now = TimeUnit.MILLISECONDS.toMicros(System.currentTimeMillis());
    assertThat(EventTimeLimit.of(Optional.empty()).reference()).isBetween(now - HOUR, now + HOUR);
  }

  @Test
  void limitsBeyondAllTimesAreNone() {
    EventTimeLimit greatest = new EventTimeLimit(Long.MAX_VALUE - HOUR, true);
    assertThat(greatest.latest(LAST, order(DataTypes.DateType))).isEqualTo(Long.MAX_VALUE);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.options;

import io.sparknd.table.internal.ClampedTimes;
import io.sparknd.table.internal.TableErrors;
import java.time.Duration;
import java.time.Instant;

/**
 * Which snapshots a table retains, besides the current one and those that tags and branches
 * reference.
 */
public sealed interface Retention {
  /**
   * Snapshots up to an age.
   *
   * @param snapshots age from which snapshots expire; not negative
   */
  record Age(Duration snapshots) implements Retention {
    public Age {
      if (snapshots.isNegative()) {
        throw TableErrors.negativeRetention(snapshots);
      }
    }

    @Override
    public Instant begin(Instant now) {
      return ClampedTimes.before(now, snapshots);
    }
  }

  /**
   * Snapshots from a time on.
   *
   * @param time time of the earliest commit that is retained
   */
  record Since(Instant time) implements Retention {
    @Override
    public Instant begin(Instant now) {
      return time;
    }
  }

  /**
   * Returns a retention of snapshots up to that age.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is negative
   */
  static Retention of(Duration snapshots) {
    return new Age(snapshots);
  }

  /** Returns a retention of snapshots that were committed at a time or later. */
  static Retention since(Instant time) {
    return new Since(time);
  }

  /** Returns the time before which snapshots expire. */
  Instant begin(Instant now);
}

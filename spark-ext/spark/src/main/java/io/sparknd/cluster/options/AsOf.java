/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.options;

import io.sparknd.op.OperatorErrors;
import java.io.Serializable;
import java.util.Objects;

/**
 * How a gather finds the state of the table for each label.
 *
 * @param time name of the labels' column with the time of each; a timestamp, or a date, which is
 *     its first moment in the session's time zone. Values of the label are NULL if it is NULL
 * @param clock the clock by which the table has a state at a time
 * @param expired what happens to labels older than the oldest snapshot
 */
public record AsOf(String time, Clock clock, Expired expired) implements Serializable {

  /** The clock by which a table has a state at a time. */
  public enum Clock {
    /**
     * The clock of commits, as of {@code FeatureTable.asOf}: a label gets what a reader would have
     * seen at its time.
     */
    COMMIT_TIME,

    /**
     * The time that each batch declares as {@code FeatureWrite.validAt}, and each eviction as
     * {@code EvictionWrite.validAt}; of other commits, the commit time. A label gets the last state
     * with no batch of a later time than its own, of the table as it is now: rolled back batches
     * are not in it. A batch that was committed after one of a later time is visible from that
     * later time on, because no state has the one without the other.
     */
    VALID_TIME,

    /**
     * No clock: each label gets the latest state. Windows end at the label's time; values of other
     * variables may be later than the label, and updates within a window may have been committed
     * after it (leakage).
     */
    NONE;

    /**
     * Returns the clock with this name in SQL: {@code commit}, {@code valid} or {@code none}.
     *
     * @throws io.sparknd.tensor.SparkNdException if the name is unknown
     */
    public static Clock named(String name) {
      return switch (name) {
        case "commit" -> COMMIT_TIME;
        case "valid" -> VALID_TIME;
        case "none" -> NONE;
        default -> throw OperatorErrors.unknownValue("clock", name, "commit, valid, none");
      };
    }
  }

  /** What happens to labels whose snapshot has expired, or whose tiles were evicted. */
  public enum Expired {
    /** The gather fails. */
    ERROR,

    /** The values are NULL. */
    NULL;

    /**
     * Returns the policy with this name in SQL: {@code error} or {@code null}.
     *
     * @throws io.sparknd.tensor.SparkNdException if the name is unknown
     */
    public static Expired named(String name) {
      return switch (name) {
        case "error" -> ERROR;
        case "null" -> NULL;
        default -> throw OperatorErrors.unknownValue("expired", name, "error, null");
      };
    }
  }

  public AsOf {
    Objects.requireNonNull(time, "time");
    Objects.requireNonNull(clock, "clock");
    Objects.requireNonNull(expired, "expired");
  }

  /** Returns the state at the time in a column, by the clock of commits. */
  public static AsOf commitTime(String column) {
    return new AsOf(column, Clock.COMMIT_TIME, Expired.ERROR);
  }

  /** Returns the state at the time in a column, by the times that batches declare. */
  public static AsOf validTime(String column) {
    return new AsOf(column, Clock.VALID_TIME, Expired.ERROR);
  }

  /** Returns the latest state, with windows that end at the time in a column. */
  public static AsOf latest(String column) {
    return new AsOf(column, Clock.NONE, Expired.ERROR);
  }

  /** Returns the same with NULL for labels of a time whose snapshot has expired. */
  public AsOf orNullIfExpired() {
    return new AsOf(time, clock, Expired.NULL);
  }
}

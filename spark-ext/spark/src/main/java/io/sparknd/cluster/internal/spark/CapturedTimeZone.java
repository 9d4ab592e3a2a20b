/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.io.Serializable;
import java.time.ZoneId;
import java.util.function.Supplier;
import org.apache.spark.sql.catalyst.util.DateTimeUtils;
import org.apache.spark.sql.internal.SQLConf;

/**
 * The session's time zone when a query was analyzed. As of Spark's own casts, it is that of views
 * and lazy Datasets, too, whatever the session's is when they are read.
 *
 * @param id as in {@code spark.sql.session.timeZone}
 */
public record CapturedTimeZone(String id) implements Serializable {
  /** Returns the time zone of a query that is analyzed now. */
  public static CapturedTimeZone now() {
    return new CapturedTimeZone(SQLConf.get().sessionLocalTimeZone());
  }

  /**
   * Returns the time zone, of whose names Spark knows more than Java does.
   *
   * @throws java.time.DateTimeException if it is none
   */
  public ZoneId zone() {
    return DateTimeUtils.getZoneId(id);
  }

  /** Runs {@code action}, in which Datasets are analyzed in this time zone. */
  public <T> T apply(Supplier<T> action) {
    SQLConf session = SQLConf.get();
    if (session.sessionLocalTimeZone().equals(id)) {
      return action.get();
    }
    SQLConf captured = session.clone();
    captured.setConfString(SQLConf.SESSION_LOCAL_TIMEZONE().key(), id);
    return SQLConf.withExistingConf(captured, action::get);
  }
}

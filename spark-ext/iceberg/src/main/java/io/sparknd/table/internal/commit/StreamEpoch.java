/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.CatalogErrors;
import io.sparknd.table.internal.store.CommitTarget;
import io.sparknd.table.internal.store.StoredTable;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.iceberg.Snapshot;

/**
 * An epoch of a streaming query, which is a batch of its own.
 *
 * @param query the id of the query, which its checkpoint keeps
 */
public record StreamEpoch(String query, long number) {
  private static final Pattern BATCH = Pattern.compile("stream (\\S+) epoch (\\d{1,18})");

  /** Returns the epoch of a batch; empty if the batch is not of a stream. */
  static Optional<StreamEpoch> parse(String batch) {
    Matcher matcher = BATCH.matcher(batch);
    return matcher.matches()
        ? Optional.of(new StreamEpoch(matcher.group(1), Long.parseLong(matcher.group(2))))
        : Optional.empty();
  }

  /** Returns the id of the batch. */
  public String batchId() {
    return "stream " + query + " epoch " + number;
  }

  /** Returns whether {@code other} is an earlier epoch of the same query. */
  boolean isAfter(StreamEpoch other) {
    return query.equals(other.query) && number > other.number;
  }

  /**
   * Checks that a table does not have a later epoch. Spark repeats the last epoch at most. If the
   * checkpoint is older than the table, it plans epochs anew, with other rows, which would be taken
   * for those that the table has.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has a later epoch
   */
  public void requireLast(StoredTable table, CommitTarget target) {
    Snapshot head = target.head(table.table());
    BatchIds.later(table.table(), head, this)
        .ifPresent(
            later -> {
              throw CatalogErrors.olderCheckpoint(table.name(), number, later.number());
            });
  }
}

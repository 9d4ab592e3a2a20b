/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.store.CatalogFailures;
import io.sparknd.table.internal.store.CommitBackoff;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.options.Retention;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.TableProperties;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.util.PropertyUtil;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Expires old snapshots; Iceberg deletes the files that only they reference. */
public final class TableExpiry {
  private static final Logger LOG = LoggerFactory.getLogger(TableExpiry.class);
  private static final int MAX_ATTEMPTS = 50;

  private TableExpiry() {}

  /**
   * Expires snapshots older than the retention. Their batches are recorded in table properties
   * first, and only snapshots with recorded batches expire, even if others commit concurrently.
   */
  public static void run(StoredTable table, Retention retention) {
    if (!PropertyUtil.propertyAsBoolean(
        table.table().properties(),
        TableProperties.GC_ENABLED,
        TableProperties.GC_ENABLED_DEFAULT)) {
      throw TableErrors.gcDisabled(table.name());
    }
    long olderThan = millis(retention.begin(Instant.now()));
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      table.refresh();
      try {
        expire(table.table(), olderThan);
        return;
      } catch (CommitFailedException
          | ValidationException
          | IllegalArgumentException // a snapshot is gone, or a branch references it
          | CommitStateUnknownException e) { // repeating is harmless
        LOG.atInfo()
            .addKeyValue("table_name", table.name())
            .addKeyValue("attempt", attempt)
            .log(
                "{}: expiry attempt {} conflicted with another commit: {}",
                table.name(),
                attempt,
                e.getMessage());
        CommitBackoff.pause(attempt);
      } catch (RuntimeException e) {
        throw CatalogFailures.unknown("expiring snapshots of", table.name(), e);
      }
    }
    throw TableErrors.expiryLost(table.name(), MAX_ATTEMPTS);
  }

  /** Returns the first millisecond, the unit of commit times, that is not before a time. */
  private static long millis(Instant time) {
    long millis = time.toEpochMilli();
    return Instant.ofEpochMilli(millis).isBefore(time) ? millis + 1 : millis;
  }

  private static void expire(Table table, long olderThan) {
    List<Snapshot> expiring = table.expireSnapshots().expireOlderThan(olderThan).apply();
    if (!expiring.isEmpty()) {
      BatchIds.recordExpiring(table, expiring);
      ValidTimes.recordExpiring(table, expiring);
      // selects snapshots by id, and none by age
      ExpireSnapshots expiry = table.expireSnapshots().expireOlderThan(0);
      expiring.forEach(snapshot -> expiry.expireSnapshotId(snapshot.snapshotId()));
      expiry.commit();
    }
  }
}

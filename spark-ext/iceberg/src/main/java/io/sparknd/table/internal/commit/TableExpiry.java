/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.ClampedTimes;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.store.CatalogFailures;
import io.sparknd.table.internal.store.CommitBackoff;
import io.sparknd.table.internal.store.StoredTable;
import io.sparknd.table.internal.store.TableRefresh;
import io.sparknd.table.options.Retention;
import io.sparknd.tensor.SparkNdException;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
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
    Set<Long> unanswered = new HashSet<>();
    for (int attempt = 1; attempt <= MAX_ATTEMPTS; attempt++) {
      refresh(table, unanswered);
      try {
        expire(table.table(), olderThan, unanswered);
        return;
      } catch (SparkNdException e) {
        refreshAfter(e, table, unanswered);
        throw e;
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
        refreshAfter(e, table, unanswered);
        throw CatalogFailures.unknown("expiring snapshots of", table.name(), e);
      }
    }
    refresh(table, unanswered);
    throw TableErrors.expiryLost(table.name(), MAX_ATTEMPTS);
  }

  /** Returns the first millisecond, the unit of commit times, that is not before a time. */
  private static long millis(Instant time) {
    long millis = ClampedTimes.millis(time);
    return Instant.ofEpochMilli(millis).isBefore(time) ? millis + 1 : millis;
  }

  /**
   * Reloads the table, and warns of files that the last attempt may have left.
   *
   * @param unanswered ids of the snapshots that the last attempt may have expired; cleared
   */
  private static void refresh(StoredTable table, Set<Long> unanswered) {
    if (unanswered.isEmpty()) {
      table.refresh();
      return;
    }
    TableRefresh.orFailed(
        table.name(),
        table.table(),
        e -> TableErrors.expiryUnknown(table.name(), unanswered.size(), e));
    warnOfFiles(table, unanswered);
  }

  private static void refreshAfter(
      RuntimeException failure, StoredTable table, Set<Long> unanswered) {
    if (!unanswered.isEmpty()) {
      try {
        refresh(table, unanswered);
      } catch (RuntimeException e) {
        e.addSuppressed(failure);
        throw e;
      }
    }
  }

  /**
   * Warns if snapshots are gone although the commit failed: Iceberg deletes their files only after
   * the catalog's answer.
   *
   * @param unanswered as for {@link #refresh}
   */
  private static void warnOfFiles(StoredTable table, Set<Long> unanswered) {
    long gone = unanswered.stream().filter(id -> table.table().snapshot(id) == null).count();
    unanswered.clear();
    if (gone > 0) {
      LOG.atWarn()
          .addKeyValue("table_name", table.name())
          .addKeyValue("snapshots", gone)
          .log(
              "{}: {} snapshots expired, but the catalog's answer was lost or the deletion of files"
                  + " failed: their files may remain; Iceberg's remove_orphan_files deletes them",
              table.name(),
              gone);
    }
  }

  private static void expire(Table table, long olderThan, Set<Long> unanswered) {
    List<Snapshot> expiring = table.expireSnapshots().expireOlderThan(olderThan).apply();
    if (!expiring.isEmpty()) {
      BatchIds.recordExpiring(table, expiring);
      ValidTimes.recordExpiring(table, expiring);
      // selects snapshots by id, and none by age
      ExpireSnapshots expiry = table.expireSnapshots().expireOlderThan(0);
      expiring.forEach(snapshot -> expiry.expireSnapshotId(snapshot.snapshotId()));
      try {
        expiry.commit();
      } catch (RuntimeException e) {
        if (!isRejection(e)) {
          expiring.forEach(snapshot -> unanswered.add(snapshot.snapshotId()));
        }
        throw e;
      }
    }
  }

  /**
   * Iceberg reads the table after the commit, too: a catalog that is busy then rejected nothing.
   */
  private static boolean isRejection(RuntimeException failure) {
    return failure instanceof CommitFailedException
        || failure instanceof ValidationException
        || failure instanceof IllegalArgumentException;
  }
}

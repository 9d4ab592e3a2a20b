/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.table.Retention;
import io.sparknd.table.store.StoredTensor;
import io.sparknd.tensor.NdErrors;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.ExpireSnapshots;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.exceptions.CommitFailedException;
import org.apache.iceberg.exceptions.CommitStateUnknownException;
import org.apache.iceberg.exceptions.ValidationException;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.FileIO;
import org.apache.iceberg.io.SupportsPrefixOperations;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.spark.sql.SparkSession;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Forgets old snapshots, and deletes files that no snapshot has. */
public final class TableExpiry {
  private static final Logger LOG = LoggerFactory.getLogger(TableExpiry.class);
  private static final int MOST_ATTEMPTS = 50;

  private TableExpiry() {}

  /**
   * Batches are written down before their snapshots go, and no other snapshots go than those whose
   * batches were written down, whatever is committed meanwhile.
   */
  public static void run(SparkSession spark, StoredTensor tensor, Retention retention) {
    Instant now = Instant.now();
    forget(tensor, now.minus(retention.snapshots()).toEpochMilli());
    SparkActions.get(spark)
        .deleteOrphanFiles(tensor.table())
        .usePrefixListing(isListedByPrefix(tensor.table().io()))
        .olderThan(now.minus(retention.orphans()).toEpochMilli())
        .execute();
  }

  /** Object stores have no folders, and Spark may have no file system of Hadoop for them. */
  private static boolean isListedByPrefix(FileIO io) {
    return io instanceof SupportsPrefixOperations && !(io instanceof HadoopFileIO);
  }

  private static void forget(StoredTensor tensor, long olderThan) {
    Table table = tensor.table();
    for (int attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      table.refresh();
      List<Snapshot> going = table.expireSnapshots().expireOlderThan(olderThan).apply();
      if (going.isEmpty()) {
        return;
      }
      try {
        BatchIds.remember(table, going);
        // by their ids, and by age none
        ExpireSnapshots expiry = table.expireSnapshots().expireOlderThan(0);
        going.forEach(snapshot -> expiry.expireSnapshotId(snapshot.snapshotId()));
        expiry.commit();
        return;
      } catch (CommitFailedException
          | ValidationException
          | IllegalArgumentException // a snapshot that is no longer there, or named by a branch
          | CommitStateUnknownException e) { // which does no harm twice
        LOG.atInfo()
            .addKeyValue("table_name", tensor.name())
            .addKeyValue("attempt", attempt)
            .log("{}: expiry {} lost a race: {}", tensor.name(), attempt, e.getMessage());
        Backoff.pause(attempt);
      }
    }
    throw NdErrors.commitLost(tensor.name(), MOST_ATTEMPTS);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.table.Retention;
import io.sparknd.table.store.StoredTensor;
import java.time.Instant;
import java.util.List;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.spark.actions.SparkActions;
import org.apache.spark.sql.SparkSession;

/** Forgets old snapshots, and deletes files that no snapshot has. */
public final class TableExpiry {
  private TableExpiry() {}

  /** The batches of the snapshots that go are remembered in the same commit. */
  public static void run(SparkSession spark, StoredTensor tensor, Retention retention) {
    Table table = tensor.table();
    table.refresh();
    Instant now = Instant.now();
    long oldest = now.minus(retention.snapshots()).toEpochMilli();
    List<Snapshot> going = table.expireSnapshots().expireOlderThan(oldest).apply();
    if (!going.isEmpty()) {
      Transaction transaction = table.newTransaction();
      transaction
          .updateProperties()
          .set(BatchIds.PROPERTY, BatchIds.remembering(table.properties(), going))
          .commit();
      transaction.expireSnapshots().expireOlderThan(oldest).commit();
      transaction.commitTransaction();
    }
    SparkActions.get(spark)
        .deleteOrphanFiles(table)
        .olderThan(now.minus(retention.orphans()).toEpochMilli())
        .execute();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.store.GivenProperties;
import java.util.Map;
import org.apache.iceberg.AppendFiles;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Transaction;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot without files, in a transaction that changes schema or properties: a catalog may
 * detect races of snapshots only. It keeps what the snapshot before it recorded.
 */
public final class EmptySnapshot {
  private EmptySnapshot() {}

  /**
   * Adds the snapshot.
   *
   * @param spark the session of the caller, which may add entries to the summary
   * @param summary SparkND's entries of the summary
   * @param validator rejects the change if the table is not as it was when the change was checked
   */
  public static void add(
      SparkSession spark,
      Transaction transaction,
      Map<String, String> summary,
      SnapshotAncestryValidator validator) {
    AppendFiles empty = transaction.newFastAppend();
    GivenProperties.of(spark, transaction.table(), Map.of()).forEach(empty::set);
    @Nullable Snapshot head = transaction.table().currentSnapshot();
    BatchIds.summary(transaction.table(), head == null ? null : head.snapshotId())
        .forEach(empty::set);
    summary.forEach(empty::set);
    empty.validateWith(validator).commit();
  }
}

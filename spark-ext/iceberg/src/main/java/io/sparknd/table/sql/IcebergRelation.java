/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.sql;

import io.sparknd.table.TableErrors;
import io.sparknd.table.TableSnapshot;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/** What Iceberg's tables are in plans; not to be touched where there is no Iceberg. */
final class IcebergRelation {
  /** Options, in lower case, that choose how rows are read, or that Spark has resolved already. */
  private static final Set<String> NOT_OF_ROWS =
      Set.of(
          "branch",
          "path",
          "versionasof",
          "timestampasof",
          "split-size",
          "lookback",
          "file-open-cost",
          "vectorization-enabled",
          "batch-size",
          "locality",
          "aggregate-push-down-enabled");

  private IcebergRelation() {}

  /**
   * The tensor of a relation at the snapshot that Iceberg reads for it.
   *
   * @throws io.sparknd.tensor.SparkNdException if an option may choose other rows than those of a
   *     snapshot, or the branch is not there
   */
  static Optional<TableSnapshot> snapshot(DataSourceV2Relation relation) {
    SparkTable table = (SparkTable) relation.table();
    Optional<TableSnapshot> tensor =
        TableSnapshot.of(table.name(), table.table(), snapshotId(relation, table));
    if (tensor.isPresent()) {
      requireWhole(relation, table);
    }
    return tensor;
  }

  private static void requireWhole(DataSourceV2Relation relation, SparkTable table) {
    relation
        .options()
        .forEach(
            (option, value) -> {
              if (!isHarmless(option)) {
                throw TableErrors.tableReadOption(table.name(), option, value);
              }
            });
  }

  private static boolean isHarmless(String option) {
    return NOT_OF_ROWS.contains(option)
        || option.startsWith("streaming-")
        || option.startsWith("stream-from-")
        || option.startsWith("async-");
  }

  /** A branch by an option or by the session, but not where a version or time is named. */
  private static Long snapshotId(DataSourceV2Relation relation, SparkTable table) {
    if (relation.timeTravelSpec().isDefined()) {
      return table.snapshotId();
    }
    String branch =
        TableSnapshot.branch(
            SparkSession.active(),
            table.name(),
            table.table(),
            Optional.ofNullable(table.branch()),
            relation.options());
    return branch == null || branch.equals(table.branch())
        ? table.snapshotId()
        : table.copyWithBranch(branch).snapshotId();
  }
}

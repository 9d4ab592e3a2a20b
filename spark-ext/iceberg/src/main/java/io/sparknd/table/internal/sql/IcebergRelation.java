/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.sql;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.feature.FeatureProperties;
import io.sparknd.table.internal.read.FeatureSnapshot;
import io.sparknd.table.internal.read.TableSnapshot;
import io.sparknd.table.internal.store.TableSelector;
import java.util.Optional;
import java.util.Set;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.jspecify.annotations.Nullable;

/** Iceberg tables in plans. Must not be loaded if Iceberg is not on the class path. */
final class IcebergRelation {
  /**
   * Options, in lower case, that affect only how rows are read, or that Spark has already resolved.
   */
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
   * Returns the tensor of a relation at the snapshot that Iceberg reads for it.
   *
   * @throws io.sparknd.tensor.SparkNdException if an option may select rows other than those of a
   *     snapshot, or the branch does not exist
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

  /**
   * Returns the features of a relation at the snapshot that Iceberg reads for it.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link #snapshot}
   */
  static Optional<FeatureSnapshot> features(DataSourceV2Relation relation) {
    SparkTable table = (SparkTable) relation.table();
    if (!FeatureProperties.isFeatureTable(table.properties())) {
      return Optional.empty();
    }
    requireWhole(relation, table);
    return FeatureSnapshot.of(table.name(), table.table(), snapshotId(relation, table));
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

  /**
   * Returns the snapshot to read. An explicit version or time, also one that the table's name
   * selects, takes precedence over a branch set by an option or the session.
   */
  private static @Nullable Long snapshotId(DataSourceV2Relation relation, SparkTable table) {
    if (relation.timeTravelSpec().isDefined()) {
      return table.snapshotId();
    }
    Optional<TableSelector> version = version(relation, table);
    if (version.isPresent()) {
      requireVersion(table, version.get());
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

  /**
   * Rejects a version by name that Iceberg's extensions have replaced by the session's branch: the
   * relation reads the branch, under a name {@code ….tag_x.branch_y} that no catalog can load.
   */
  private static void requireVersion(SparkTable table, TableSelector version) {
    if (table.branch() != null && !table.branch().equals(version.value())) {
      throw TableErrors.versionReplacedByBranch(table.name(), version.value(), table.branch());
    }
  }

  private static Optional<TableSelector> version(DataSourceV2Relation relation, SparkTable table) {
    return relation.identifier().isDefined()
        ? TableSelector.version(relation.identifier().get(), table.table())
        : Optional.empty();
  }
}

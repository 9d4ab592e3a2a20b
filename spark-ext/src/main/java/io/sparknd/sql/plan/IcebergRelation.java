/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.table.TableSnapshot;
import java.util.Optional;
import org.apache.iceberg.spark.source.SparkTable;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;

/** What Iceberg's tables are in plans; not to be touched where there is no Iceberg. */
final class IcebergRelation {
  private IcebergRelation() {}

  /** The tensor of a relation at the snapshot that Iceberg reads for it. */
  static Optional<TableSnapshot> snapshot(DataSourceV2Relation relation) {
    SparkTable table = (SparkTable) relation.table();
    return TableSnapshot.of(table.name(), table.table(), table.snapshotId());
  }
}

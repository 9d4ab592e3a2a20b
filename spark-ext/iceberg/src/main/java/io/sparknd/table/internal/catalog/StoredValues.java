/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.catalog;

import io.sparknd.cluster.internal.spark.SqlNames;
import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.commit.EmptySnapshot;
import io.sparknd.table.internal.feature.FeatureColumn;
import io.sparknd.table.internal.feature.FeatureEvolution;
import io.sparknd.table.internal.feature.SnapshotRows;
import io.sparknd.table.internal.feature.StoredFeatures;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.iceberg.Schema;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Table;
import org.apache.iceberg.Transaction;
import org.apache.iceberg.types.Types;
import org.apache.iceberg.util.SnapshotUtil;
import org.apache.spark.sql.SparkSession;

/**
 * Searches the snapshots of a table for values of variables, also the latest that are committed
 * meanwhile, and binds a change to the snapshots that it searched.
 */
final class StoredValues implements FeatureEvolution.ValueCheck {
  private final SparkSession spark;

  /** The snapshots without values, by the field id of a variable. */
  private final Map<Integer, Set<Long>> searched = new HashMap<>();

  StoredValues(SparkSession spark) {
    this.spark = spark;
  }

  /** Returns whether a row of a snapshot has a value, which reads of the past would return. */
  @Override
  public boolean hasValues(StoredFeatures stored, FeatureColumn column) {
    Set<Long> seen = searched.computeIfAbsent(column.fieldId(), id -> new HashSet<>());
    List<Snapshot> snapshots = unseen(stored, seen);
    while (!snapshots.isEmpty()) {
      if (hasValues(stored, column, snapshots)) {
        return true;
      }
      snapshots.forEach(snapshot -> seen.add(snapshot.snapshotId()));
      // others may have committed meanwhile
      stored.refresh();
      snapshots = unseen(stored, seen);
    }
    return false;
  }

  @Override
  public void bind(Transaction transaction) {
    if (!searched.isEmpty()) {
      EmptySnapshot.add(spark, transaction, Map.of(), new AllSearched(transaction.table()));
    }
  }

  private final class AllSearched implements SnapshotAncestryValidator {
    private final Table table;

    AllSearched(Table table) {
      this.table = table;
    }

    @Override
    public boolean validate(Iterable<Snapshot> ancestors) {
      for (Snapshot snapshot : table.snapshots()) {
        if (!searched.values().stream().allMatch(seen -> seen.contains(snapshot.snapshotId()))) {
          throw TableErrors.commitLost(table.name(), 1);
        }
      }
      return true;
    }

    @Override
    public String errorMessage() {
      return "table " + table.name() + " has a snapshot that was not searched for values";
    }
  }

  /** Returns the snapshots that are not among those seen, the latest first. */
  private static List<Snapshot> unseen(StoredFeatures stored, Set<Long> seen) {
    List<Snapshot> snapshots = new ArrayList<>();
    stored.table().snapshots().forEach(snapshots::add);
    snapshots.removeIf(each -> seen.contains(each.snapshotId()));
    Collections.reverse(snapshots);
    return snapshots;
  }

  /**
   * Returns whether a snapshot has the column, or its rows the default of one that was added later.
   */
  private static boolean mayHave(Table table, Snapshot snapshot, FeatureColumn column) {
    Schema then = SnapshotUtil.schemaFor(table, snapshot.snapshotId());
    Types.NestedField now = table.schema().findField(column.fieldId());
    return then.findField(column.fieldId()) != null || now != null && now.initialDefault() != null;
  }

  private boolean hasValues(StoredFeatures stored, FeatureColumn column, List<Snapshot> snapshots) {
    return snapshots.stream()
        .filter(each -> mayHave(stored.table(), each, column))
        .map(each -> new SnapshotRows(spark, stored.table(), each.snapshotId()).rows())
        .anyMatch(rows -> !rows.where(SqlNames.column(column.name()).isNotNull()).isEmpty());
  }
}

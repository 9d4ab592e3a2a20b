/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.tensor.NdErrors;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Table;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Which batches a table has seen: each snapshot's summary names its own, and a property of the
 * table those of snapshots that have expired.
 */
public final class BatchIds {
  /** Of a snapshot: the batch that it holds. */
  public static final String SUMMARY = "sparknd.batch-id";

  /** Of a table: batches of expired snapshots, oldest first. */
  static final String PROPERTY = "sparknd.batch-ids";

  private static final String SEPARATOR = ",";
  private static final int MOST = 10_000;

  private BatchIds() {}

  /**
   * @throws io.sparknd.tensor.SparkNdException if it could not be told from others in a list
   */
  public static void check(String id) {
    if (id.isBlank() || id.contains(SEPARATOR)) {
      throw NdErrors.badBatchId(id);
    }
  }

  /** The snapshot that holds a batch; -1 where that has expired; empty for a batch not seen. */
  public static OptionalLong find(Table table, String id) {
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      if (id.equals(snapshot.summary().get(SUMMARY))) {
        return OptionalLong.of(snapshot.snapshotId());
      }
    }
    return expired(table.properties()).contains(id) ? OptionalLong.of(-1) : OptionalLong.empty();
  }

  /** Refuses a commit on top of a snapshot that holds the batch already. */
  static SnapshotAncestryValidator notYet(String id) {
    return new SnapshotAncestryValidator() {
      @Override
      public boolean validate(Iterable<Snapshot> ancestors) {
        for (Snapshot snapshot : ancestors) {
          if (id.equals(snapshot.summary().get(SUMMARY))) {
            return false;
          }
        }
        return true;
      }

      @Override
      public String errorMessage() {
        return "batch " + id + " is in the table";
      }
    };
  }

  static Set<String> expired(Map<String, String> properties) {
    String ids = properties.getOrDefault(PROPERTY, "");
    return ids.isEmpty() ? Set.of() : new LinkedHashSet<>(Arrays.asList(ids.split(SEPARATOR)));
  }

  /** The property's value with the batches of {@code snapshots} too; the oldest are forgotten. */
  static String remembering(Map<String, String> properties, Iterable<Snapshot> snapshots) {
    Set<String> ids = new LinkedHashSet<>(expired(properties));
    for (Snapshot snapshot : snapshots) {
      String id = snapshot.summary().get(SUMMARY);
      if (id != null) {
        ids.add(id);
      }
    }
    return String.join(SEPARATOR, ids.stream().skip(Math.max(0, ids.size() - MOST)).toList());
  }
}

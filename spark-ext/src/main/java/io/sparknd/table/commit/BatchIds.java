/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.tensor.NdErrors;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.util.SnapshotUtil;

/**
 * Which batches a table has seen: each snapshot's summary names its own, and properties of the
 * table those of snapshots that have expired, the last ten thousand.
 */
public final class BatchIds {
  /** Of a snapshot: the batch that it holds. */
  public static final String SUMMARY = "sparknd.batch-id";

  /** Of a table, and the batch's id after it: when a batch came whose snapshot has expired. */
  static final String PROPERTY = "sparknd.batch-id.";

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

  /**
   * The snapshot that holds a batch; -1 where that has expired; empty for a batch not seen.
   *
   * @param head of the branch that is asked; null for a table without a snapshot
   */
  public static OptionalLong find(Table table, Snapshot head, String id) {
    if (head != null) {
      for (Snapshot snapshot : SnapshotUtil.ancestorsOf(head.snapshotId(), table::snapshot)) {
        if (id.equals(snapshot.summary().get(SUMMARY))) {
          return OptionalLong.of(snapshot.snapshotId());
        }
      }
    }
    return table.properties().containsKey(PROPERTY + id)
        ? OptionalLong.of(-1)
        : OptionalLong.empty();
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

  /**
   * Writes down the batches of those snapshots that cannot be found any more once {@code going}
   * have expired: their own, and those of older ones behind them. Each has a property of its own,
   * so that of what several processes write down at once nothing is lost.
   */
  static void remember(Table table, Collection<Snapshot> going) {
    Set<Long> ids = going.stream().map(Snapshot::snapshotId).collect(Collectors.toSet());
    Map<String, Long> batches = new TreeMap<>();
    boolean isBehind = false;
    for (Snapshot snapshot : SnapshotUtil.currentAncestors(table)) {
      isBehind |= ids.contains(snapshot.snapshotId());
      String id = snapshot.summary().get(SUMMARY);
      if (isBehind && id != null) {
        batches.put(PROPERTY + id, snapshot.timestampMillis());
      }
    }
    if (!batches.isEmpty()) {
      write(table, batches);
    }
  }

  private static void write(Table table, Map<String, Long> batches) {
    Map<String, Long> all = new HashMap<>(batches);
    UpdateProperties update = table.updateProperties();
    table.properties().entrySet().stream()
        .filter(property -> property.getKey().startsWith(PROPERTY))
        .forEach(property -> all.putIfAbsent(property.getKey(), millis(property.getValue())));
    List<String> oldest =
        all.entrySet().stream()
            .sorted(Map.Entry.comparingByValue())
            .limit(Math.max(0, all.size() - MOST))
            .map(Map.Entry::getKey)
            .toList();
    oldest.stream().filter(table.properties()::containsKey).forEach(update::remove);
    batches.keySet().removeAll(oldest);
    batches.forEach((property, millis) -> update.set(property, millis.toString()));
    update.commit();
  }

  /** What somebody else has changed counts as old. */
  private static long millis(String text) {
    try {
      return Long.parseLong(text);
    } catch (NumberFormatException e) {
      return 0;
    }
  }
}

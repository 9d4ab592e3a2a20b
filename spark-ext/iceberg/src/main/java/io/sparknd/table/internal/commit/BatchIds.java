/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.TableErrors;
import io.sparknd.table.internal.commit.BatchHistory.Node;
import io.sparknd.table.internal.history.ValidTime;
import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.internal.store.TableProperties;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotAncestryValidator;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.apache.iceberg.UpdateProperties;
import org.apache.iceberg.util.PropertyUtil;
import org.jspecify.annotations.Nullable;

/**
 * Records and finds the batches in a table's current state, that is, in its snapshot's ancestry.
 * Each snapshot's summary names its own batch; table properties name the batches of expired
 * snapshots, the last ten thousand ({@link BatchHistory}).
 */
public final class BatchIds {
  private static final String SEPARATOR = ",";
  private static final int MAX = 10_000;

  private BatchIds() {}

  /**
   * Checks a batch id.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is empty or contains a comma
   */
  public static void check(String id) {
    if (id.isBlank() || id.contains(SEPARATOR)) {
      throw TableErrors.badBatchId(id);
    }
  }

  /**
   * Returns the snapshot that holds a batch; -1 if that snapshot has expired; empty if the state at
   * {@code head} does not hold the batch.
   *
   * @param head null if the table has no snapshot
   */
  public static OptionalLong find(Table table, @Nullable Snapshot head, String id) {
    Long from = head == null ? null : head.snapshotId();
    return new BatchHistory(table)
        .find(from, id)
        .map(found -> OptionalLong.of(table.snapshot(found) == null ? -1 : found))
        .orElse(OptionalLong.empty());
  }

  /**
   * Returns the latest snapshot that deleted all rows since a batch was committed, or one that left
   * none. The batch stays: it was applied once, also if what it did is gone.
   *
   * @param snapshots those of the branch, latest first
   * @param held the snapshot that holds the batch; -1 if it has expired
   */
  static OptionalLong emptiedSince(Iterable<Snapshot> snapshots, long held) {
    return StreamSupport.stream(snapshots.spliterator(), false)
        .takeWhile(snapshot -> snapshot.snapshotId() != held)
        .filter(BatchIds::deletedAll)
        .mapToLong(Snapshot::snapshotId)
        .findFirst();
  }

  private static boolean deletedAll(Snapshot snapshot) {
    Map<String, String> summary = snapshot.summary();
    return PropertyUtil.propertyAsLong(summary, SnapshotSummary.TOTAL_RECORDS_PROP, -1) == 0
        && PropertyUtil.propertyAsLong(summary, SnapshotSummary.DELETED_RECORDS_PROP, 0) > 0;
  }

  /**
   * Returns a later epoch of the same query in the state at {@code head}.
   *
   * @param head null if the table has no snapshot
   */
  static Optional<StreamEpoch> later(Table table, @Nullable Snapshot head, StreamEpoch epoch) {
    return new BatchHistory(table)
        .batch(
            head == null ? null : head.snapshotId(),
            batch -> StreamEpoch.parse(batch).filter(found -> found.isAfter(epoch)).isPresent())
        .flatMap(StreamEpoch::parse);
  }

  /**
   * Returns a validator that rejects a commit on top of a snapshot that holds the batch already.
   */
  static SnapshotAncestryValidator rejectReplay(Table table, String id) {
    BatchHistory history = new BatchHistory(table);
    return new SnapshotAncestryValidator() {
      @Override
      public boolean validate(Iterable<Snapshot> ancestors) {
        for (Snapshot snapshot : ancestors) {
          if (history.batch(snapshot).filter(id::equals).isPresent()) {
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
   * Returns the summary entries by which a new snapshot refers to its expired ancestors, and to the
   * latest time of all batches.
   */
  static Map<String, String> summary(Table table, @Nullable Long base) {
    Map<String, String> summary = new TreeMap<>(ValidTime.carried(table, base));
    new BatchHistory(table)
        .newestNode(base)
        .ifPresent(node -> summary.put(SnapshotProperties.BATCH_HISTORY, node.toString()));
    return summary;
  }

  /**
   * Records the batches that cannot be found otherwise once {@code expiring} have expired, and
   * removes the properties that no snapshot leads to.
   */
  static void recordExpiring(Table table, Collection<Snapshot> expiring) {
    BatchHistory history = new BatchHistory(table);
    Set<Long> ids = expiring.stream().map(Snapshot::snapshotId).collect(Collectors.toSet());
    Map<Long, Node> added = new TreeMap<>();
    for (Snapshot snapshot : table.snapshots()) {
      long id = snapshot.snapshotId();
      if (history.node(id).isEmpty() && (ids.contains(id) || losesAncestor(table, snapshot, ids))) {
        Node node = history.toNode(snapshot);
        boolean isOfUse =
            node.batch().isPresent() || node.before().isPresent() && !ids.contains(id);
        if (isOfUse) {
          added.put(id, node);
        }
      }
    }
    trimAndWrite(table, history, added);
  }

  /** Returns whether the parent is missing after the expiry, or the snapshot was cherry-picked. */
  private static boolean losesAncestor(Table table, Snapshot snapshot, Set<Long> expiring) {
    Long parent = snapshot.parentId();
    boolean losesParent =
        parent != null && (expiring.contains(parent) || table.snapshot(parent) == null);
    return losesParent || snapshot.summary().containsKey(SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP);
  }

  /**
   * Writes properties, and removes those that no snapshot leads to. Above the limit, the epochs of
   * streams that later ones supersede are left out first, and then the oldest batches.
   */
  private static void trimAndWrite(Table table, BatchHistory history, Map<Long, Node> added) {
    Map<Long, Node> all = recorded(table, history);
    Set<Long> removed = new HashSet<>(all.keySet());
    removed.removeAll(history.reachable(table.snapshots()));
    all.keySet().removeAll(removed);
    all.putAll(added);
    Map<Long, Node> written = new TreeMap<>(added);
    if (all.size() > MAX) {
      SupersededEpochs superseded =
          SupersededEpochs.of(all, BatchHistory.entries(table.snapshots()));
      written.putAll(superseded.relinked());
      all.keySet().removeAll(superseded.snapshots());
      removed.addAll(oldest(table, all, added.keySet()));
    }
    written.keySet().removeAll(removed);
    write(table, written, removed);
  }

  private static Map<Long, Node> recorded(Table table, BatchHistory history) {
    Map<Long, Node> all = new HashMap<>();
    for (String key : table.properties().keySet()) {
      if (key.startsWith(TableProperties.EXPIRED_BATCH)) {
        idOf(key).ifPresent(id -> history.node(id).ifPresent(node -> all.put(id, node)));
      }
    }
    return all;
  }

  /** Returns the oldest above the limit. */
  private static List<Long> oldest(Table table, Map<Long, Node> all, Set<Long> added) {
    return all.entrySet().stream()
        .filter(entry -> table.snapshot(entry.getKey()) == null || added.contains(entry.getKey()))
        .sorted(Map.Entry.comparingByValue((a, b) -> Long.compare(a.millis(), b.millis())))
        .limit(Math.max(0, all.size() - MAX))
        .map(Map.Entry::getKey)
        .toList();
  }

  private static OptionalLong idOf(String key) {
    try {
      return OptionalLong.of(Long.parseLong(key.substring(TableProperties.EXPIRED_BATCH.length())));
    } catch (NumberFormatException e) {
      return OptionalLong.empty();
    }
  }

  private static void write(Table table, Map<Long, Node> written, Set<Long> removed) {
    UpdateProperties update = table.updateProperties();
    removed.stream()
        .map(id -> TableProperties.EXPIRED_BATCH + id)
        .filter(table.properties()::containsKey)
        .forEach(update::remove);
    written.forEach((id, node) -> update.set(TableProperties.EXPIRED_BATCH + id, node.text()));
    if (!written.isEmpty() || !removed.isEmpty()) {
      update.commit();
    }
  }
}

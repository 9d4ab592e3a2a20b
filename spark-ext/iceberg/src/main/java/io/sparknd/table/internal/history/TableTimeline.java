/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.history;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.TimeUnit;
import org.apache.iceberg.HasTableOperations;
import org.apache.iceberg.HistoryEntry;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * The snapshots that a table had over time. A version is the number of one of them.
 *
 * @param micros from when each version is the table's state, in microseconds since 1970, ascending
 * @param snapshots the snapshot of each version
 * @param isWhole whether the table had no snapshot before the first version; else those before have
 *     expired
 */
public record TableTimeline(List<Long> micros, List<Long> snapshots, boolean isWhole)
    implements Serializable {
  public TableTimeline {
    micros = List.copyOf(micros);
    snapshots = List.copyOf(snapshots);
  }

  /** The state of a table from a time on. */
  private record Change(long micros, long snapshot) {}

  /**
   * Returns the states by the clock of commits up to {@code head}: if the log of main has it, as
   * the log tells, with snapshots that were rolled back later; else the snapshots that led to it.
   *
   * @param head null if nothing was written
   */
  public static TableTimeline ofCommits(Table table, @Nullable Snapshot head) {
    List<HistoryEntry> log = log(table, head);
    if (log.isEmpty()) {
      return ofAncestors(table, head, (snapshot, before) -> toMicros(snapshot.timestampMillis()));
    }
    List<Change> changes =
        log.stream()
            .map(entry -> new Change(toMicros(entry.timestampMillis()), entry.snapshotId()))
            .toList();
    return of(changes, begins(table, log.get(0)));
  }

  /** Returns the log of main up to a snapshot, from the last one on that has expired. */
  private static List<HistoryEntry> log(Table table, @Nullable Snapshot head) {
    List<HistoryEntry> log = table.history();
    int end = log.size();
    while (end > 0 && (head == null || log.get(end - 1).snapshotId() != head.snapshotId())) {
      end--;
    }
    int begin = end;
    while (begin > 0 && table.snapshot(log.get(begin - 1).snapshotId()) != null) {
      begin--;
    }
    return log.subList(begin, end);
  }

  /**
   * Returns whether an entry is of the table's first state. A rollback to the first snapshot is
   * not, but has a later time. A snapshot that was published, after others of its branch, has a
   * later time, too, and is the first if no snapshot has ever expired.
   */
  private static boolean begins(Table table, HistoryEntry entry) {
    Snapshot snapshot = table.snapshot(entry.snapshotId());
    boolean isFirstCommit =
        snapshot != null
            && snapshot.parentId() == null
            && snapshot.timestampMillis() == entry.timestampMillis();
    return isFirstCommit || entry.equals(table.history().get(0)) && hasAllSnapshots(table);
  }

  /** Snapshots have the numbers from 1 on, from format version 2 on; before, all have 0. */
  private static boolean hasAllSnapshots(Table table) {
    List<Snapshot> all = new ArrayList<>();
    table.snapshots().forEach(all::add);
    return table instanceof HasTableOperations operated
        && all.stream().allMatch(snapshot -> snapshot.sequenceNumber() > 0)
        && operated.operations().current().lastSequenceNumber() == all.size();
  }

  /**
   * Returns the states by the times of batches: the snapshots that led to {@code head}, each from
   * the latest time of the batches that it holds.
   *
   * @param head null if nothing was written
   * @throws io.sparknd.tensor.SparkNdException if the summary of one declares a time that is none
   */
  public static TableTimeline ofValidTimes(Table table, @Nullable Snapshot head) {
    return ofAncestors(
        table,
        head,
        (snapshot, before) -> {
          ValidTime.requireReadable(table, snapshot);
          return ValidTime.latest(table, snapshot, before);
        });
  }

  /**
   * Returns one state, whatever the time.
   *
   * @param head null if nothing was written
   */
  public static TableTimeline ofLatest(@Nullable Snapshot head) {
    return head == null
        ? new TableTimeline(List.of(), List.of(), true)
        : new TableTimeline(List.of(Long.MIN_VALUE), List.of(head.snapshotId()), true);
  }

  private interface Times {
    /**
     * Returns the time of a snapshot in microseconds.
     *
     * @param before that of its parent; empty if there is none
     */
    long of(Snapshot snapshot, OptionalLong before);
  }

  private static TableTimeline ofAncestors(Table table, @Nullable Snapshot head, Times times) {
    List<Snapshot> ancestors = new ArrayList<>();
    Snapshot next = head;
    while (next != null) {
      ancestors.add(next);
      next = next.parentId() == null ? null : table.snapshot(next.parentId());
    }
    Collections.reverse(ancestors);
    List<Change> changes = new ArrayList<>();
    OptionalLong before = OptionalLong.empty();
    for (Snapshot snapshot : ancestors) {
      before = OptionalLong.of(times.of(snapshot, before));
      changes.add(new Change(before.getAsLong(), snapshot.snapshotId()));
    }
    return of(changes, ancestors.isEmpty() || ancestors.get(0).parentId() == null);
  }

  /** Leaves out states that a later one replaced at the same time or, if clocks differ, before. */
  private static TableTimeline of(List<Change> changes, boolean isWhole) {
    List<Change> kept = new ArrayList<>();
    long next = Long.MAX_VALUE;
    for (int i = changes.size() - 1; i >= 0; i--) {
      if (changes.get(i).micros() < next) {
        kept.add(changes.get(i));
        next = changes.get(i).micros();
      }
    }
    Collections.reverse(kept);
    return new TableTimeline(
        kept.stream().map(Change::micros).toList(),
        kept.stream().map(Change::snapshot).toList(),
        isWhole);
  }

  private static long toMicros(long millis) {
    return TimeUnit.MILLISECONDS.toMicros(millis);
  }

  /** Returns the number of versions. */
  public int count() {
    return snapshots.size();
  }

  /** Returns the table's version at a time; -1 before the first. */
  public int version(long time) {
    int low = 0;
    int high = micros.size();
    while (low < high) {
      int middle = low + high >>> 1;
      if (micros.get(middle) <= time) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low - 1;
  }

  /** Returns the first time whose state is known, in microseconds since 1970. */
  public long begin() {
    return isWhole ? Long.MIN_VALUE : micros.get(0);
  }
}

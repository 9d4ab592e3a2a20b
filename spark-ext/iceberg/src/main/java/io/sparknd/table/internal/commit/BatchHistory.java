/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.store.SnapshotProperties;
import io.sparknd.table.internal.store.TableProperties;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import java.util.function.Predicate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;
import org.jspecify.annotations.Nullable;

/**
 * Finds the batches that a table holds at a snapshot. Iceberg's ancestry lacks expired snapshots;
 * table properties replace them, each naming a snapshot's batch and its nearest ancestor with a
 * batch. Both are fixed for a snapshot, so writers that add properties concurrently cannot
 * contradict each other. The ancestor changes if superseded epochs are left out ({@link
 * SupersededEpochs}), whose properties stay until the next expiry, for writers that refer to them.
 */
final class BatchHistory {
  private static final String NONE = "-";
  private static final String SEPARATOR = " ";

  private final Table table;

  BatchHistory(Table table) {
    this.table = table;
  }

  /**
   * The contents of a snapshot's history property.
   *
   * @param millis commit time of the snapshot
   * @param before the nearest ancestor with a batch
   */
  record Node(long millis, Optional<Long> before, Optional<String> batch) {

    /** Parses a property; empty if the text is malformed. */
    static Optional<Node> parse(String text) {
      String[] parts = text.split(SEPARATOR, 3);
      try {
        return Optional.of(
            new Node(
                Long.parseLong(parts[0]),
                parts[1].equals(NONE) ? Optional.empty() : Optional.of(Long.parseLong(parts[1])),
                parts.length < 3 ? Optional.empty() : Optional.of(parts[2])));
      } catch (NumberFormatException | ArrayIndexOutOfBoundsException e) {
        return Optional.empty();
      }
    }

    String text() {
      return millis
          + SEPARATOR
          + before.map(Object::toString).orElse(NONE)
          + batch.map(SEPARATOR::concat).orElse("");
    }
  }

  /**
   * Returns the snapshot that holds a batch: {@code head} or one of its ancestors.
   *
   * @param head null if the table has no snapshot
   */
  Optional<Long> find(@Nullable Long head, String id) {
    return first(head, snapshot -> batch(snapshot).filter(id::equals).isPresent());
  }

  /**
   * Returns the nearest batch that matches, of {@code head} or one of its ancestors.
   *
   * @param head null if the table has no snapshot
   */
  Optional<String> batch(@Nullable Long head, Predicate<String> wanted) {
    return first(head, snapshot -> batch(snapshot).filter(wanted).isPresent()).flatMap(this::batch);
  }

  /** Returns the nearest snapshot with a history property: {@code head} or one of its ancestors. */
  Optional<Long> newestNode(@Nullable Long head) {
    boolean isAny =
        table.properties().keySet().stream()
            .anyMatch(key -> key.startsWith(TableProperties.EXPIRED_BATCH));
    return isAny ? first(head, snapshot -> node(snapshot).isPresent()) : Optional.empty();
  }

  /** Returns the history property for a snapshot that has not expired. */
  Node toNode(Snapshot snapshot) {
    long id = snapshot.snapshotId();
    Optional<Long> before = first(id, other -> other != id && batch(other).isPresent());
    return new Node(snapshot.timestampMillis(), before, batch(id));
  }

  Optional<Node> node(long snapshot) {
    return Optional.ofNullable(table.properties().get(TableProperties.EXPIRED_BATCH + snapshot))
        .flatMap(Node::parse);
  }

  /** Returns the batch that a snapshot added; for a cherry-picked snapshot, its source's batch. */
  Optional<String> batch(long id) {
    Snapshot snapshot = table.snapshot(id);
    return snapshot == null ? node(id).flatMap(Node::batch) : batch(snapshot);
  }

  Optional<String> batch(Snapshot snapshot) {
    String own = snapshot.summary().get(SnapshotProperties.BATCH_ID);
    return Optional.ofNullable(own)
        .or(() -> node(snapshot.snapshotId()).flatMap(Node::batch))
        .or(() -> number(snapshot, SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP).flatMap(this::batch));
  }

  /** Returns all snapshots reachable from the given ones, themselves included. */
  Set<Long> reachable(Iterable<Snapshot> from) {
    Set<Long> found = new HashSet<>();
    Deque<Long> next = new ArrayDeque<>();
    from.forEach(snapshot -> next.add(snapshot.snapshotId()));
    while (!next.isEmpty()) {
      long id = next.remove();
      if (found.add(id)) {
        next.addAll(links(id));
      }
    }
    return found;
  }

  /**
   * Returns the snapshots at which a search from one of the given ones may come to the history
   * properties: themselves, and those that they refer to.
   */
  static Set<Long> entries(Iterable<Snapshot> from) {
    Set<Long> entries = new HashSet<>();
    for (Snapshot snapshot : from) {
      entries.add(snapshot.snapshotId());
      entries.addAll(links(snapshot));
    }
    return entries;
  }

  private List<Long> links(long id) {
    List<Long> links = new ArrayList<>();
    node(id).flatMap(Node::before).ifPresent(links::add);
    Optional.ofNullable(table.snapshot(id)).map(BatchHistory::links).ifPresent(links::addAll);
    return links;
  }

  private static List<Long> links(Snapshot snapshot) {
    List<Long> links = new ArrayList<>();
    Optional.ofNullable(snapshot.parentId()).ifPresent(links::add);
    number(snapshot, SnapshotProperties.BATCH_HISTORY).ifPresent(links::add);
    number(snapshot, SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP).ifPresent(links::add);
    return links;
  }

  /** Returns the nearest snapshot that matches: {@code head} or one of its ancestors. */
  private Optional<Long> first(@Nullable Long head, LongPredicate wanted) {
    Set<Long> seen = new HashSet<>();
    Set<Long> written = new LinkedHashSet<>();
    Optional<Long> next = Optional.ofNullable(head);
    while (next.isPresent() && seen.add(next.get())) {
      long id = next.get();
      if (wanted.test(id)) {
        return next;
      }
      Optional.ofNullable(table.snapshot(id))
          .flatMap(snapshot -> number(snapshot, SnapshotProperties.BATCH_HISTORY))
          .ifPresent(written::add);
      next =
          before(id).or(() -> written.stream().filter(other -> !seen.contains(other)).findFirst());
    }
    return Optional.empty();
  }

  /** Returns the parent; if it has expired, the nearest ancestor known from a history property. */
  private Optional<Long> before(long id) {
    Snapshot snapshot = table.snapshot(id);
    Optional<Long> parent = Optional.ofNullable(snapshot).map(Snapshot::parentId);
    if (parent.filter(other -> table.snapshot(other) != null).isPresent()) {
      return parent;
    }
    Optional<Node> node = node(id);
    return node.isPresent()
        ? node.flatMap(Node::before)
        : parent.filter(other -> node(other).isPresent());
  }

  private static Optional<Long> number(Snapshot snapshot, String key) {
    try {
      return Optional.ofNullable(snapshot.summary().get(key)).map(Long::valueOf);
    } catch (NumberFormatException e) {
      return Optional.empty();
    }
  }
}

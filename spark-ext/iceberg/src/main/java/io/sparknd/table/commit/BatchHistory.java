/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongPredicate;
import org.apache.iceberg.Snapshot;
import org.apache.iceberg.SnapshotSummary;
import org.apache.iceberg.Table;

/**
 * Which batches the table holds at a snapshot. Snapshots that have expired are missing in Iceberg's
 * ancestry; properties of the table stand for them, one for each, that name the batch and the
 * nearest ancestor with a batch. Both never change for a snapshot, so that writers that add
 * properties at once cannot contradict each other.
 */
final class BatchHistory {
  /** Of a snapshot: the newest ancestor that has a property. */
  static final String SUMMARY = "sparknd.batch-history";

  /** Of a table, and the snapshot's id after it. */
  static final String PROPERTY = "sparknd.batch-history.";

  private static final String NONE = "-";
  private static final String SEPARATOR = " ";

  private final Table table;

  BatchHistory(Table table) {
    this.table = table;
  }

  /**
   * What a property says of a snapshot.
   *
   * @param millis when it was committed
   * @param before the nearest ancestor with a batch
   */
  record Node(long millis, Optional<Long> before, Optional<String> batch) {

    /** Empty for a text that somebody else has written. */
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
   * The snapshot that holds a batch, a snapshot or one of its ancestors.
   *
   * @param head null: the table has none
   */
  Optional<Long> find(Long head, String id) {
    return first(head, snapshot -> batch(snapshot).filter(id::equals).isPresent());
  }

  /** The nearest ancestor that a property names, the snapshot itself included. */
  Optional<Long> newestNode(Long head) {
    boolean isAny = table.properties().keySet().stream().anyMatch(key -> key.startsWith(PROPERTY));
    return isAny ? first(head, snapshot -> node(snapshot).isPresent()) : Optional.empty();
  }

  /** What a property is to say of a snapshot that is still there. */
  Node toNode(Snapshot snapshot) {
    long id = snapshot.snapshotId();
    Optional<Long> before = first(id, other -> other != id && batch(other).isPresent());
    return new Node(snapshot.timestampMillis(), before, batch(id));
  }

  Optional<Node> node(long snapshot) {
    return Optional.ofNullable(table.properties().get(PROPERTY + snapshot)).flatMap(Node::parse);
  }

  /** The batch that a snapshot added; of a cherry-picked one, that of its source. */
  Optional<String> batch(long id) {
    Snapshot snapshot = table.snapshot(id);
    return snapshot == null ? node(id).flatMap(Node::batch) : batch(snapshot);
  }

  Optional<String> batch(Snapshot snapshot) {
    String own = snapshot.summary().get(BatchIds.SUMMARY);
    return Optional.ofNullable(own)
        .or(() -> node(snapshot.snapshotId()).flatMap(Node::batch))
        .or(() -> number(snapshot, SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP).flatMap(this::batch));
  }

  /** All snapshots that others lead to, themselves included. */
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

  private List<Long> links(long id) {
    List<Long> links = new ArrayList<>();
    node(id).flatMap(Node::before).ifPresent(links::add);
    Snapshot snapshot = table.snapshot(id);
    if (snapshot != null) {
      Optional.ofNullable(snapshot.parentId()).ifPresent(links::add);
      number(snapshot, SUMMARY).ifPresent(links::add);
      number(snapshot, SnapshotSummary.SOURCE_SNAPSHOT_ID_PROP).ifPresent(links::add);
    }
    return links;
  }

  /** The nearest of a snapshot and its ancestors that passes. */
  private Optional<Long> first(Long head, LongPredicate wanted) {
    Set<Long> seen = new HashSet<>();
    Set<Long> written = new LinkedHashSet<>();
    Optional<Long> next = Optional.ofNullable(head);
    while (next.isPresent() && seen.add(next.get())) {
      long id = next.get();
      if (wanted.test(id)) {
        return next;
      }
      Optional.ofNullable(table.snapshot(id))
          .flatMap(snapshot -> number(snapshot, SUMMARY))
          .ifPresent(written::add);
      next =
          before(id).or(() -> written.stream().filter(other -> !seen.contains(other)).findFirst());
    }
    return Optional.empty();
  }

  /** The parent; where that has expired, the nearest ancestor that a property tells of. */
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

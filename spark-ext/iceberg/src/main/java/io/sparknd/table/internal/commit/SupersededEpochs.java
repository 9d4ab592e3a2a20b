/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.table.internal.commit.BatchHistory.Node;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/**
 * Finds the recorded epochs of streams that each search passes after two later epochs of the same
 * query. Spark repeats the last epoch at most, and a later epoch tells of an older checkpoint
 * ({@link StreamEpoch#requireLast}), so nothing needs their records.
 */
final class SupersededEpochs {
  private final Map<Long, Node> nodes;
  private final Set<Long> entries;
  private final Map<Long, Integer> searches = new HashMap<>();
  private final Map<Long, Map<String, LastEpochs>> passed = new HashMap<>();
  private final Set<Long> superseded = new HashSet<>();

  /** The last epoch and the one before it of a query that a search has passed. */
  private record LastEpochs(long last, long secondLast) {
    static final LastEpochs NONE = new LastEpochs(-1, -1);

    LastEpochs and(long epoch) {
      return new LastEpochs(Math.max(last, epoch), Math.max(Math.min(last, epoch), secondLast));
    }

    /** Returns what two searches have passed at least. */
    LastEpochs common(LastEpochs other) {
      return new LastEpochs(Math.min(last, other.last), Math.min(secondLast, other.secondLast));
    }
  }

  private SupersededEpochs(Map<Long, Node> nodes, Set<Long> entries) {
    this.nodes = nodes;
    this.entries = entries;
  }

  /**
   * Finds the epochs.
   *
   * @param nodes the history properties, by snapshot
   * @param entries snapshots at which a search may come to the properties
   */
  static SupersededEpochs of(Map<Long, Node> nodes, Set<Long> entries) {
    SupersededEpochs found = new SupersededEpochs(nodes, entries);
    found.findAll();
    return found;
  }

  /** Returns the snapshots of the epochs. */
  Set<Long> snapshots() {
    return superseded;
  }

  /**
   * Returns the other nodes that refer to such an epoch, referring to the nearest ancestor with
   * another batch. The epochs' own nodes must stay for a while: a concurrent writer may refer to
   * them.
   */
  Map<Long, Node> relinked() {
    Map<Long, Node> changed = new TreeMap<>();
    nodes.forEach(
        (id, node) -> {
          Optional<Long> before = node.before();
          while (before.filter(superseded::contains).isPresent()) {
            before = before.map(nodes::get).flatMap(Node::before);
          }
          if (!superseded.contains(id) && !before.equals(node.before())) {
            changed.put(id, new Node(node.millis(), before, node.batch()));
          }
        });
    return changed;
  }

  /** Goes from each node to the one before it, after all searches that come to it. */
  private void findAll() {
    nodes
        .values()
        .forEach(node -> node.before().ifPresent(id -> searches.merge(id, 1, Integer::sum)));
    Deque<Long> next = new ArrayDeque<>();
    nodes.keySet().stream().filter(id -> !searches.containsKey(id)).forEach(next::add);
    while (!next.isEmpty()) {
      long id = next.remove();
      Node node = nodes.get(id);
      if (node != null) {
        Map<String, LastEpochs> here = visit(id, node);
        node.before().filter(before -> comesTo(before, here)).ifPresent(next::add);
      }
    }
  }

  /** Returns the epochs that searches have passed after a node. */
  private Map<String, LastEpochs> visit(long id, Node node) {
    Map<String, LastEpochs> before = passed.remove(id);
    Map<String, LastEpochs> here =
        before == null || entries.contains(id) ? new HashMap<>() : before;
    node.batch()
        .flatMap(StreamEpoch::parse)
        .ifPresent(
            epoch -> {
              LastEpochs last = here.getOrDefault(epoch.query(), LastEpochs.NONE);
              if (last.secondLast() > epoch.number()) {
                superseded.add(id);
              }
              here.put(epoch.query(), last.and(epoch.number()));
            });
    return here;
  }

  /** Returns whether this is the last of the searches that come to a node. */
  private boolean comesTo(long id, Map<String, LastEpochs> here) {
    passed.merge(id, here, SupersededEpochs::common);
    return searches.merge(id, -1, Integer::sum) == 0;
  }

  private static Map<String, LastEpochs> common(
      Map<String, LastEpochs> one, Map<String, LastEpochs> other) {
    Map<String, LastEpochs> common = new HashMap<>();
    one.forEach(
        (query, last) -> {
          LastEpochs same = other.get(query);
          if (same != null) {
            common.put(query, last.common(same));
          }
        });
    return common;
  }
}

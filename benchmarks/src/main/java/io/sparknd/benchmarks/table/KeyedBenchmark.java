/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import io.sparknd.benchmarks.table.Cost.Kind;
import io.sparknd.benchmarks.table.KeyedStore.Family;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;

/**
 * Runs one change of string keys on all stores in turn, always on the initial table, and reads the
 * table after each commit; then ten commits and a read. Beside MERGE, our store counts in the mode
 * of the fastest MERGE; beside Paimon, which merges at reads, in merge-on-read.
 */
final class KeyedBenchmark {
  private static final int THREADS = 2;
  private static final int COMMITS = 10;

  /** Stores slower than this multiple of the fastest one of their family run only once. */
  private static final double SLOW = 2;

  private final KeyedInputs inputs;
  private final KeyedOracle oracle;
  private final ChangeRounds pace;
  private final KeyedChange change;
  private final Map<KeyedStore, List<KeyedCost>> costs = new LinkedHashMap<>();

  KeyedBenchmark(
      KeyedInputs inputs,
      KeyedOracle oracle,
      List<KeyedStore> stores,
      ChangeRounds pace,
      KeyedChange change) {
    this.inputs = inputs;
    this.oracle = oracle;
    this.pace = pace;
    this.change = change;
    stores.forEach(store -> costs.put(store, new ArrayList<>()));
  }

  List<WorkComparison> run() {
    RowHash expected = oracle.after(change, 1);
    for (KeyedStore store : costs.keySet()) {
      costs.get(store).add(once(store, expected));
    }
    List<KeyedStore> fast = costs.keySet().stream().filter(this::isFast).toList();
    rounds(fast, expected);
    List<WorkComparison> comparisons = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      double goal = kind == Kind.TIME ? change.goal() : 1;
      comparisons.add(
          merge(
              kind.title, goal, kind.unit, costs, cost -> kind.value.applyAsDouble(cost.commit())));
    }
    comparisons.add(merge("/scan: the first read of all", 1, "ms", costs, KeyedCost::read));
    comparisons.addAll(paimon("/paimon: a commit and the first read", costs));
    if (pace.reads() > 0) {
      comparisons.addAll(tenCommits(fast));
    }
    return comparisons;
  }

  private void rounds(List<KeyedStore> stores, RowHash expected) {
    for (int round = 1 - pace.warmups(); round < pace.rounds(); round++) {
      for (int i = 0; i < stores.size(); i++) {
        KeyedStore store = stores.get(Math.floorMod(i + round, stores.size()));
        if (round == 0) {
          costs.get(store).clear();
        }
        costs.get(store).add(once(store, expected));
      }
    }
  }

  private KeyedCost once(KeyedStore store, RowHash expected) {
    KeyedCost cost = read(store, commit(store, 1), expected);
    store.restore();
    return cost;
  }

  private List<WorkComparison> tenCommits(List<KeyedStore> stores) {
    RowHash expected = oracle.after(change, COMMITS);
    Map<KeyedStore, List<KeyedCost>> all = new LinkedHashMap<>();
    for (KeyedStore store : stores) {
      Cost commits =
          IntStream.rangeClosed(1, COMMITS)
              .mapToObj(seed -> commit(store, seed))
              .reduce(Cost::then)
              .orElseThrow();
      all.put(store, List.of(read(store, commits, expected)));
      store.restore();
    }
    List<WorkComparison> comparisons = new ArrayList<>();
    comparisons.add(merge("/time10: ten commits", change.goal(), "ms", all, KeyedCost::millis));
    comparisons.add(
        merge(
            "/written10: bytes of ten commits",
            1,
            "MB",
            all,
            cost -> cost.commit().megabytesWritten()));
    comparisons.add(
        merge(
            "/files10: files left after ten commits",
            1,
            "files",
            all,
            cost -> cost.commit().files()));
    comparisons.add(merge("/scan10: the first read after them", 1, "ms", all, KeyedCost::read));
    comparisons.addAll(paimon("/paimon10: ten commits and the first read", all));
    return comparisons;
  }

  private Cost commit(KeyedStore store, int seed) {
    var updates = inputs.updates(change, seed);
    Cost cost = Cost.of(store, () -> store.update(change, updates));
    System.out.printf("  %s, %s: %s%n", change.id(), store.name(), cost);
    return cost;
  }

  private KeyedCost read(KeyedStore store, Cost commits, RowHash expected) {
    RowHash[] found = new RowHash[1];
    double millis = Cost.millis(() -> found[0] = store.read(change));
    if (!found[0].equals(expected)) {
      throw new IllegalStateException(
          change.id() + ": " + store.name() + " holds " + found[0] + ", not " + expected);
    }
    return new KeyedCost(commits, millis);
  }

  private boolean isFast(KeyedStore store) {
    return store.family() == Family.OURS || millis(store) <= SLOW * millis(fastest(store.family()));
  }

  private KeyedStore fastest(Family family) {
    return costs.keySet().stream()
        .filter(store -> store.family() == family)
        .min(Comparator.comparingDouble(this::millis))
        .orElseThrow();
  }

  private double millis(KeyedStore store) {
    return samples(costs.get(store), KeyedCost::millis).median();
  }

  /** Compares with the fastest MERGE. */
  private WorkComparison merge(
      String title,
      double goal,
      String unit,
      Map<KeyedStore, List<KeyedCost>> of,
      ToDoubleFunction<KeyedCost> value) {
    KeyedStore fastest = fastest(Family.MERGE);
    List<PeerResult> results = new ArrayList<>();
    of.forEach(
        (store, list) -> results.add(result(store, list, value, fastest.mode(), store == fastest)));
    return new WorkComparison(change.id() + title, THREADS, goal, unit, results);
  }

  /** Compares time with Paimon, if it was run. */
  private List<WorkComparison> paimon(String title, Map<KeyedStore, List<KeyedCost>> of) {
    if (of.keySet().stream().noneMatch(store -> store.family() == Family.PAIMON)) {
      return List.of();
    }
    List<PeerResult> results = new ArrayList<>();
    of.forEach(
        (store, list) -> {
          boolean counts = store.family() == Family.PAIMON;
          results.add(result(store, list, KeyedCost::withRead, Mode.MERGE_ON_READ, counts));
        });
    return List.of(new WorkComparison(change.id() + title, THREADS, 1, "ms", results));
  }

  private static PeerResult result(
      KeyedStore store,
      List<KeyedCost> list,
      ToDoubleFunction<KeyedCost> value,
      Mode ours,
      boolean counts) {
    Role role = counts ? Role.CORRECT : Role.OTHER;
    if (store.family() == Family.OURS) {
      role = store.mode() == ours ? Role.OURS : Role.OTHER;
    }
    return new PeerResult(store.name(), role, samples(list, value));
  }

  private static Samples samples(List<KeyedCost> list, ToDoubleFunction<KeyedCost> value) {
    return new Samples(list.stream().mapToDouble(value).boxed().toList());
  }
}

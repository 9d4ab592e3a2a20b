/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import io.sparknd.benchmarks.table.Cost.Kind;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.IntStream;
import org.apache.spark.sql.SparkSession;

/**
 * Runs one change on all stores in turn, always on the initial table; then ten commits and a scan.
 * Goals apply to our store in the mode of the fastest MERGE.
 */
final class ChangeBenchmark {
  private static final int THREADS = 2;
  private static final int COMMITS = 10;

  /** Stores slower than this multiple of the fastest peer run only once. */
  private static final double SLOW = 2;

  private final SparkSession spark;
  private final TableInputs inputs;
  private final TableOracle oracle;
  private final ChangeRounds pace;
  private final Change change;
  private final Map<Store, List<Cost>> costs = new LinkedHashMap<>();

  ChangeBenchmark(
      SparkSession spark,
      TableInputs inputs,
      TableOracle oracle,
      List<Store> stores,
      ChangeRounds pace,
      Change change) {
    this.spark = spark;
    this.inputs = inputs;
    this.oracle = oracle;
    this.pace = pace;
    this.change = change;
    stores.forEach(store -> costs.put(store, new ArrayList<>()));
  }

  List<WorkComparison> run() {
    first();
    List<Store> fast = costs.keySet().stream().filter(this::isFast).toList();
    rounds(fast, 1 - pace.warmups());
    List<WorkComparison> comparisons = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      comparisons.add(
          comparison(
              kind.title, kind == Kind.TIME ? change.goal() : 1, kind.unit, costs, kind.value));
    }
    if (pace.reads() > 0) {
      comparisons.addAll(tenCommits(fast));
    }
    return comparisons;
  }

  /** Runs every store once and checks the results. */
  private void first() {
    long expected = oracle.hash(change, 1);
    for (Store store : costs.keySet()) {
      costs.get(store).add(commit(store, 1));
      check(store, expected);
      store.restore();
    }
  }

  private void rounds(List<Store> stores, int first) {
    for (int round = first; round < pace.rounds(); round++) {
      for (int i = 0; i < stores.size(); i++) {
        Store store = stores.get(Math.floorMod(i + round, stores.size()));
        if (round == 0) {
          costs.get(store).clear();
        }
        costs.get(store).add(commit(store, 1));
        store.restore();
      }
    }
  }

  private List<WorkComparison> tenCommits(List<Store> stores) {
    long expected = oracle.hash(change, COMMITS);
    Map<Store, List<Cost>> all = new LinkedHashMap<>();
    for (Store store : stores) {
      all.put(
          store,
          List.of(
              IntStream.rangeClosed(1, COMMITS)
                  .mapToObj(seed -> commit(store, seed))
                  .reduce(Cost::then)
                  .orElseThrow()));
      check(store, expected);
    }
    Map<Store, List<Double>> reads = reads(stores);
    stores.forEach(Store::restore);
    return List.of(
        comparison("/time10: ten commits", change.goal(), "ms", all, Cost::millis),
        comparison("/written10: bytes of ten commits", 1, "MB", all, Cost::megabytesWritten),
        comparison("/files10: files left after ten commits", 1, "files", all, Cost::files),
        comparison("/scan10: reading all after them", 1, "ms", reads, Double::doubleValue));
  }

  private Map<Store, List<Double>> reads(List<Store> stores) {
    Map<Store, List<Double>> reads = new LinkedHashMap<>();
    stores.forEach(store -> reads.put(store, new ArrayList<>()));
    for (int round = -pace.warmups(); round < pace.reads(); round++) {
      for (int i = 0; i < stores.size(); i++) {
        Store store = stores.get(Math.floorMod(i + round, stores.size()));
        double millis = Cost.millis(() -> read(store));
        if (round >= 0) {
          reads.get(store).add(millis);
        }
      }
    }
    return reads;
  }

  private Cost commit(Store store, int seed) {
    var updates = inputs.updates(change, store.updateLayout(change), seed);
    Cost cost = Cost.of(store, () -> store.update(change, updates));
    System.out.printf("  %s, %s: %s%n", change.id(), store.name(), cost);
    return cost;
  }

  private void check(Store store, long expected) {
    TableOracle.check(store.name(), change, expected, read(store));
  }

  private List<org.apache.spark.sql.Row> read(Store store) {
    return spark.sql(TableOracle.QUERY + store.table()).collectAsList();
  }

  private boolean isFast(Store store) {
    return store.role() == Role.OURS || millis(store) <= SLOW * millis(fastest());
  }

  private Store fastest() {
    return costs.keySet().stream()
        .filter(store -> store.role() == Role.CORRECT)
        .min(Comparator.comparingDouble(this::millis))
        .orElseThrow();
  }

  private double millis(Store store) {
    return samples(costs.get(store), Cost::millis).median();
  }

  private <T> WorkComparison comparison(
      String title, double goal, String unit, Map<Store, List<T>> of, ToDoubleFunction<T> value) {
    Store fastest = fastest();
    List<PeerResult> results = new ArrayList<>();
    of.forEach(
        (store, list) ->
            results.add(
                new PeerResult(
                    store.name(),
                    counts(store, fastest) ? store.role() : Role.OTHER,
                    samples(list, value))));
    return new WorkComparison(change.id() + title, THREADS, goal, unit, results);
  }

  private static boolean counts(Store store, Store fastest) {
    return store == fastest || store.role() == Role.OURS && store.mode() == fastest.mode();
  }

  private static <T> Samples samples(List<T> list, ToDoubleFunction<T> value) {
    return new Samples(list.stream().mapToDouble(value).boxed().toList());
  }
}

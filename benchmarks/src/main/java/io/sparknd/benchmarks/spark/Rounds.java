/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Runs a benchmark in rounds; in each round, all peers run one after the other. */
final class Rounds {
  private static final int THREADS = 2;
  private static final double NANOS_PER_MILLI = 1e6;

  private final SparkSession spark;
  private final QueryRounds usual;

  Rounds(SparkSession spark, QueryRounds usual) {
    this.spark = spark;
    this.usual = usual;
  }

  /**
   * @throws IllegalStateException if results differ
   */
  WorkComparison run(SparkWork work) {
    List<Contestant> contestants = work.contestants().get();
    checkAnswers(work, contestants);
    List<List<Double>> times = new ArrayList<>();
    contestants.forEach(contestant -> times.add(new ArrayList<>()));
    QueryRounds pace = work.pace() == null ? usual : work.pace();
    for (int round = -pace.warmups(); round < pace.rounds(); round++) {
      for (int i = 0; i < contestants.size(); i++) {
        int turn = Math.floorMod(i + round, contestants.size());
        double millis = millis(contestants.get(turn));
        if (round >= 0) {
          times.get(turn).add(millis);
        }
      }
    }
    contestants.forEach(Contestant::close);
    forgetAllBut(Set.of());
    spark.catalog().clearCache();
    return new WorkComparison(work.name(), THREADS, work.goal(), "ms", results(contestants, times));
  }

  private void checkAnswers(SparkWork work, List<Contestant> contestants) {
    Set<Long> responses = new HashSet<>();
    for (Contestant contestant : contestants) {
      Set<Integer> before = persisted();
      contestant.answer().ifPresent(responses::add);
      forget(contestant, before);
    }
    if (responses.size() > 1) {
      throw new IllegalStateException(work.name() + ": results differ");
    }
  }

  private double millis(Contestant contestant) {
    Set<Integer> before = persisted();
    long start = System.nanoTime();
    contestant.run();
    double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
    forget(contestant, before);
    return millis;
  }

  /** Unpersists the RDDs of a run, so that later runs do not pay for them. */
  private void forget(Contestant contestant, Set<Integer> before) {
    if (!contestant.goesOn()) {
      forgetAllBut(before);
    }
  }

  private static List<PeerResult> results(List<Contestant> contestants, List<List<Double>> times) {
    List<PeerResult> results = new ArrayList<>();
    for (int i = 0; i < contestants.size(); i++) {
      Contestant contestant = contestants.get(i);
      results.add(new PeerResult(contestant.name(), contestant.role(), new Samples(times.get(i))));
    }
    return results;
  }

  private JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(spark.sparkContext());
  }

  private Set<Integer> persisted() {
    return Set.copyOf(context().getPersistentRDDs().keySet());
  }

  private void forgetAllBut(Set<Integer> resident) {
    context()
        .getPersistentRDDs()
        .forEach(
            (id, rdd) -> {
              if (!resident.contains(id)) {
                rdd.unpersist(true);
              }
            });
  }
}

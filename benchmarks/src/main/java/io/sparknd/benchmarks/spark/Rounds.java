/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.WorkComparison;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.SparkSession;

/** Runs a benchmark in rounds; in each round, all peers run one after the other. */
final class Rounds {
  private static final int THREADS = 2;
  private static final int ATTEMPTS = 3;
  private static final double NANOS_PER_MILLI = 1e6;

  private final SparkSession spark;
  private final QueryRounds usual;
  private final double slow;

  private Rounds(SparkSession spark, QueryRounds usual, double slow) {
    this.spark = spark;
    this.usual = usual;
    this.slow = slow;
  }

  /** Returns rounds in which all peers run. */
  static Rounds ofAll(SparkSession spark, QueryRounds usual) {
    return new Rounds(spark, usual, Double.POSITIVE_INFINITY);
  }

  /** Returns rounds that peers slower than twice the fastest one leave after the first. */
  static Rounds ofFast(SparkSession spark, QueryRounds usual) {
    return new Rounds(spark, usual, 2);
  }

  /**
   * @throws IllegalStateException if results differ
   */
  WorkComparison run(SparkWork work) {
    List<SparkPeer> peers = work.peers().get();
    checkAnswers(work, peers);
    QueryRounds pace = work.pace() == null ? usual : work.pace();
    RoundTimes times = new RoundTimes(peers, pace.warmups(), slow);
    for (int round = 0; round < pace.warmups() + pace.rounds(); round++) {
      times.turn(round).forEach(peer -> times.add(peer, millis(peer)));
      times.endRound(round);
    }
    peers.forEach(SparkPeer::close);
    forgetAllBut(Set.of());
    spark.catalog().clearCache();
    return new WorkComparison(work.name(), THREADS, work.goal(), "ms", times.results());
  }

  private void checkAnswers(SparkWork work, List<SparkPeer> peers) {
    Map<String, Long> answers = new LinkedHashMap<>();
    for (SparkPeer peer : peers) {
      Set<Integer> before = persisted();
      peer.answer().ifPresent(answer -> answers.put(peer.name(), answer));
      forget(peer, before);
    }
    if (Set.copyOf(answers.values()).size() > 1) {
      throw new IllegalStateException(work.name() + ": results differ: " + answers);
    }
  }

  private double millis(SparkPeer peer) {
    Set<Integer> before = persisted();
    long start = System.nanoTime();
    peer.run();
    double millis = (System.nanoTime() - start) / NANOS_PER_MILLI;
    forget(peer, before);
    return millis;
  }

  /** Unpersists the RDDs of a run, so that later runs do not pay for them. */
  private void forget(SparkPeer peer, Set<Integer> before) {
    if (!peer.goesOn()) {
      forgetAllBut(before);
    }
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
                unpersist(rdd);
              }
            });
  }

  /** Spark's cleaner may remove blocks of the same RDD meanwhile, which fails in one of both. */
  private static void unpersist(JavaRDD<?> rdd) {
    for (int attempt = 1; attempt < ATTEMPTS; attempt++) {
      try {
        rdd.unpersist(true);
        return;
      } catch (Exception e) { // Scala declares no checked exceptions
        System.err.println("unpersisting again: " + e.getMessage());
      }
    }
    rdd.unpersist(true);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.List;
import java.util.function.Supplier;

/**
 * A benchmark and its peers.
 *
 * @param id the letter of its goal
 * @param title the description
 * @param goal the highest ratio to the best peer that meets the goal
 * @param pace the number of rounds, or null for the suite's default
 * @param peers supplies the peers when the benchmark starts
 */
record SparkWork(
    String id, String title, double goal, QueryRounds pace, Supplier<List<SparkPeer>> peers) {

  /** A benchmark with the suite's default rounds. */
  SparkWork(String id, String title, double goal, Supplier<List<SparkPeer>> peers) {
    this(id, title, goal, null, peers);
  }

  String name() {
    return id + ": " + title;
  }
}

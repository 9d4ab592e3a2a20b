/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.List;
import java.util.function.Supplier;

/**
 * A piece of work and those who can do it.
 *
 * @param id the letter of its goal
 * @param title what is done
 * @param goal the ratio to the best peer to be reached, at most
 * @param pace how often, or null for the suite's own
 * @param contestants made when the work begins
 */
record SparkWork(
    String id,
    String title,
    double goal,
    QueryRounds pace,
    Supplier<List<Contestant>> contestants) {

  /** Work at the suite's own pace. */
  SparkWork(String id, String title, double goal, Supplier<List<Contestant>> contestants) {
    this(id, title, goal, null, contestants);
  }

  String name() {
    return id + ": " + title;
  }
}

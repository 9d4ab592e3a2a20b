/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One line of a report.
 *
 * @param name the name of the benchmark
 * @param threads the threads that each side may use
 * @param ours our median
 * @param peer the median of the best correct peer in the same run
 * @param peerName the name of that peer
 * @param ratio {@code ours / peer}
 * @param goal the highest ratio that meets the goal
 * @param unit the unit of {@code ours} and {@code peer}
 * @param spread see {@link Samples#spreadOfRatio}
 */
public record Line(
    String name,
    int threads,
    double ours,
    double peer,
    @JsonProperty("peer_name") String peerName,
    double ratio,
    double goal,
    String unit,
    double spread) {

  /** Returns the part of the name before the colon. */
  String shortName() {
    return name.substring(0, name.indexOf(':'));
  }

  /** Whether {@code other} has the same short name and threads. */
  boolean isSameWork(Line other) {
    return shortName().equals(other.shortName()) && threads == other.threads;
  }

  /** Whether the ratio meets the goal. */
  boolean met() {
    return ratio <= goal;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import com.fasterxml.jackson.annotation.JsonProperty;

/**
 * One line of a report.
 *
 * @param name of the work
 * @param threads that each side may use
 * @param ours our median
 * @param peer the median of the best correct peer in the same run
 * @param peerName that peer
 * @param ratio {@code ours / peer}
 * @param goal the ratio to be reached, at most
 * @param unit of {@code ours} and {@code peer}
 * @param spread as {@link Samples#spreadOfRatio}
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

  /** What stands before the colon of the name. */
  String shortName() {
    return name.substring(0, name.indexOf(':'));
  }

  /** Whether {@code other} has the same work and threads. */
  boolean isSameWork(Line other) {
    return shortName().equals(other.shortName()) && threads == other.threads;
  }

  /** Whether the goal is reached. */
  boolean met() {
    return ratio <= goal;
  }
}

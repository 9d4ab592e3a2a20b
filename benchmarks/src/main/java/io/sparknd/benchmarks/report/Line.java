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

  /** Whether the goal is reached. */
  boolean met() {
    return ratio <= goal;
  }
}

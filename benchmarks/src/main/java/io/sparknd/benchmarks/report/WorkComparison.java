/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.Comparator;
import java.util.List;

/**
 * The results of all peers for one benchmark in one run.
 *
 * @param name the name of the benchmark; the part before the colon is its short name
 * @param threads the threads that each peer may use
 * @param goal the highest ratio to the best correct peer that meets the goal
 * @param unit the unit of all times
 * @param results one per peer, including ours
 */
public record WorkComparison(
    String name, int threads, double goal, String unit, List<PeerResult> results) {
  public WorkComparison {
    results = List.copyOf(results);
  }

  /** The short name. */
  String shortName() {
    return name.substring(0, name.indexOf(':'));
  }

  /** Our own result. */
  public PeerResult ours() {
    return results.stream().filter(r -> r.role() == Role.OURS).findFirst().orElseThrow();
  }

  /** Returns the fastest of the peers whose result is correct. */
  public PeerResult best() {
    return results.stream()
        .filter(r -> r.role() == Role.CORRECT)
        .min(Comparator.comparingDouble(r -> r.samples().median()))
        .orElseThrow();
  }

  /** Returns the shortest median of the work that every peer has to do; 0 if none was measured. */
  double floor() {
    return results.stream()
        .filter(r -> r.role() == Role.FLOOR)
        .mapToDouble(r -> r.samples().median())
        .min()
        .orElse(0);
  }

  /** Returns the line of this benchmark in the report of a run on this machine. */
  public Line line() {
    Samples ours = ours().samples();
    Samples peer = best().samples();
    return new Line(
        name,
        threads,
        ours.median(),
        peer.median(),
        best().name(),
        ours.median() / peer.median(),
        goal,
        unit,
        ours.spreadOfRatio(peer),
        Machine.processor(),
        floor());
  }
}

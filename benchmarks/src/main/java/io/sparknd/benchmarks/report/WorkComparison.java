/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.Comparator;
import java.util.List;

/**
 * One piece of work, done by everyone in the same run.
 *
 * @param name of the work: what stands before the colon is its short name
 * @param threads that each peer may use
 * @param goal the ratio to the best correct peer to be reached, at most
 * @param unit of all times
 * @param results one for each peer, ours among them
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

  /** The fastest of the peers whose answer was right. */
  public PeerResult best() {
    return results.stream()
        .filter(r -> r.role() == Role.CORRECT)
        .min(Comparator.comparingDouble(r -> r.samples().median()))
        .orElseThrow();
  }

  /** The line of this work in the report. */
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
        ours.spreadOfRatio(peer));
  }
}

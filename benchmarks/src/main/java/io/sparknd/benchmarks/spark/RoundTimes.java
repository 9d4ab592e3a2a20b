/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The times of all contestants of a benchmark, and who runs in which round. */
final class RoundTimes {
  private final Map<Contestant, List<Double>> times = new LinkedHashMap<>();
  private final int warmups;
  private final double slow;
  private List<Contestant> running;

  /**
   * @param warmups the first rounds, whose times do not count for those who run in later ones
   * @param slow peers that take more than this multiple of the fastest one's time in round 0 run in
   *     that round only
   */
  RoundTimes(List<Contestant> contestants, int warmups, double slow) {
    contestants.forEach(contestant -> times.put(contestant, new ArrayList<>()));
    this.warmups = warmups;
    this.slow = slow;
    this.running = List.copyOf(contestants);
  }

  /** Returns those who run in a round, beginning with another one in each. */
  List<Contestant> turn(int round) {
    List<Contestant> turn = new ArrayList<>();
    for (int i = 0; i < running.size(); i++) {
      turn.add(running.get((i + round) % running.size()));
    }
    return turn;
  }

  void add(Contestant contestant, double millis) {
    times.get(contestant).add(millis);
  }

  void endRound(int round) {
    if (round == 0) {
      running = running.stream().filter(this::isFast).toList();
    }
    if (round == warmups - 1) {
      running.forEach(contestant -> times.get(contestant).clear());
    }
  }

  private boolean isFast(Contestant contestant) {
    return contestant.role() != Role.CORRECT || first(contestant) <= slow * fastest();
  }

  private double fastest() {
    return times.keySet().stream()
        .filter(contestant -> contestant.role() == Role.CORRECT)
        .mapToDouble(this::first)
        .min()
        .orElseThrow();
  }

  private double first(Contestant contestant) {
    return times.get(contestant).get(0);
  }

  List<PeerResult> results() {
    return times.entrySet().stream()
        .map(
            entry ->
                new PeerResult(
                    entry.getKey().name(), entry.getKey().role(), new Samples(entry.getValue())))
        .toList();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The times of all peers of a benchmark, and who runs in which round. */
final class RoundTimes {
  private final Map<SparkPeer, List<Double>> times = new LinkedHashMap<>();
  private final int warmups;
  private final double slow;
  private List<SparkPeer> running;

  /**
   * @param warmups the first rounds, whose times do not count for those who run in later ones
   * @param slow peers that take more than this multiple of the fastest one's time in round 0 run in
   *     that round only
   */
  RoundTimes(List<SparkPeer> peers, int warmups, double slow) {
    peers.forEach(peer -> times.put(peer, new ArrayList<>()));
    this.warmups = warmups;
    this.slow = slow;
    this.running = List.copyOf(peers);
  }

  /** Returns those who run in a round, beginning with another one in each. */
  List<SparkPeer> turn(int round) {
    List<SparkPeer> turn = new ArrayList<>();
    for (int i = 0; i < running.size(); i++) {
      turn.add(running.get((i + round) % running.size()));
    }
    return turn;
  }

  void add(SparkPeer peer, double millis) {
    times.get(peer).add(millis);
  }

  void endRound(int round) {
    if (round == 0) {
      running = running.stream().filter(this::isFast).toList();
    }
    if (round == warmups - 1) {
      running.forEach(peer -> times.get(peer).clear());
    }
  }

  private boolean isFast(SparkPeer peer) {
    return peer.role() != Role.CORRECT || first(peer) <= slow * fastest();
  }

  private double fastest() {
    return times.keySet().stream()
        .filter(peer -> peer.role() == Role.CORRECT)
        .mapToDouble(this::first)
        .min()
        .orElseThrow();
  }

  private double first(SparkPeer peer) {
    return times.get(peer).get(0);
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class RoundTimesTest {
  private static final SparkPeer OURS = new Named("ours", Role.OURS, 500);
  private static final SparkPeer FAST = new Named("fast", Role.CORRECT, 100);
  private static final SparkPeer FAIR = new Named("fair", Role.CORRECT, 200);
  private static final SparkPeer SLOW = new Named("slow", Role.CORRECT, 201);
  private static final SparkPeer OTHER = new Named("other work", Role.YARDSTICK, 900);

  @Test
  void peersSlowerThanTwiceTheFastestRunOnce() {
    assertThat(sizes(run(1, 3, 2))).containsExactly(3, 3, 3, 1, 3);
  }

  @Test
  void withoutALimitAllRunInEveryRound() {
    assertThat(sizes(run(1, 3, Double.POSITIVE_INFINITY))).containsExactly(3, 3, 3, 3, 3);
  }

  @Test
  void withoutWarmupsTheFirstRoundCounts() {
    assertThat(sizes(run(0, 2, 2))).containsExactly(2, 2, 2, 1, 2);
    assertThat(sizes(run(0, 1, 2))).containsExactly(1, 1, 1, 1, 1);
  }

  @Test
  void everyRoundBeginsWithAnotherOne() {
    RoundTimes times = new RoundTimes(List.of(OURS, FAST, FAIR), 0, 2);
    assertThat(times.turn(0)).containsExactly(OURS, FAST, FAIR);
    assertThat(times.turn(1)).containsExactly(FAST, FAIR, OURS);
    assertThat(times.turn(5)).containsExactly(FAIR, OURS, FAST);
  }

  private static List<PeerResult> run(int warmups, int rounds, double slow) {
    RoundTimes times = new RoundTimes(List.of(OURS, FAST, FAIR, SLOW, OTHER), warmups, slow);
    for (int round = 0; round < warmups + rounds; round++) {
      times.turn(round).forEach(one -> times.add(one, ((Named) one).millis()));
      times.endRound(round);
    }
    return times.results();
  }

  private static List<Integer> sizes(List<PeerResult> results) {
    return results.stream().map(result -> result.samples().values().size()).toList();
  }

  private record Named(String name, Role role, double millis) implements SparkPeer {
    @Override
    public void run() {}

    @Override
    public OptionalLong answer() {
      return OptionalLong.empty();
    }
  }
}

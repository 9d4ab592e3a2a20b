/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class MemoryWorksTest {
  private static final long HEAP = 64 << 20;

  /** Allocates as many megabytes as its argument says, and keeps them. */
  static final class Allocation {
    private Allocation() {}

    public static void main(String[] args) throws InterruptedException {
      MemoryListener memory = new MemoryListener();
      List<byte[]> kept = new ArrayList<>();
      for (int i = 0; i < Integer.parseInt(args[0]); i++) {
        kept.add(new byte[1 << 20]);
      }
      try {
        System.out.println(memory.peak());
      } finally {
        Reference.reachabilityFence(kept);
      }
    }
  }

  private static Optional<String> allocated(int megabytes) {
    return new TrialProcess(Allocation.class, HEAP, List.of(Integer.toString(megabytes))).run();
  }

  @Test
  void aTrialPrintsWhatItsHeapHeld() {
    PeakMemory peak = PeakMemory.parse(allocated(20).orElseThrow());
    assertThat(peak.heapBytes()).isBetween(20L << 20, HEAP);
    assertThat(peak.executionBytes()).isZero();
  }

  @Test
  void aTrialThatNeedsMoreHeapFails() {
    assertThat(allocated(200)).isEmpty();
  }

  @Test
  void whatFailedIsNotCompared() {
    PeerResult ours = result(Role.OURS, 10);
    PeerResult peer = result(Role.CORRECT, 20);
    assertThat(MemoryWorks.compared("A/heap: x", "MB", List.of(ours, peer)))
        .hasValueSatisfying(work -> assertThat(work.best()).isEqualTo(peer));
    assertThat(MemoryWorks.compared("A/heap: x", "MB", List.of(ours))).isEmpty();
    assertThat(MemoryWorks.compared("A/heap: x", "MB", List.of(peer))).isEmpty();
    assertThat(MemoryWorks.compared("A/heap: x", "MB", List.of(ours, result(Role.CORRECT, 0))))
        .isEmpty();
    assertThat(MemoryWorks.compared("A/heap: x", "MB", List.of(result(Role.OURS, 0), peer)))
        .isEmpty();
  }

  private static PeerResult result(Role role, double value) {
    return new PeerResult(role.name(), role, new Samples(List.of(value)));
  }
}

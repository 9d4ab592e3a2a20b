/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.List;
import java.util.stream.DoubleStream;
import org.junit.jupiter.api.Test;

class WorkComparisonTest {
  private static final PeerResult OURS = result("SparkND", Role.OURS, 40, 50, 60);
  private static final PeerResult JOIN = result("join", Role.CORRECT, 90, 100, 200);

  @Test
  void theFloorIsTheShortestMedianOfOtherWorkThatAllHaveToDo() {
    Line line =
        work(
                OURS,
                JOIN,
                result("scan", Role.FLOOR, 30, 40, 50),
                result("bytes", Role.FLOOR, 20, 30, 90),
                result("copy", Role.YARDSTICK, 1, 1, 1))
            .line();
    assertThat(line.floor()).isEqualTo(30);
    assertThat(line.bound()).isEqualTo(0.3);
  }

  @Test
  void aFloorIsNoPeer() {
    WorkComparison work = work(OURS, JOIN, result("scan", Role.FLOOR, 1, 2, 3));
    assertThat(work.best()).isEqualTo(JOIN);
    assertThat(work.line().ratio()).isEqualTo(0.5);
    assertThat(work.results().get(2).label()).isEqualTo("scan (other work)");
  }

  @Test
  void withoutAFloorThereIsNoBound() {
    assertThat(work(OURS, JOIN).line().hasFloor()).isFalse();
  }

  private static WorkComparison work(PeerResult... results) {
    return new WorkComparison("A: x", 2, 0.4, "ms", List.of(results));
  }

  private static PeerResult result(String name, Role role, double... times) {
    return new PeerResult(name, role, new Samples(DoubleStream.of(times).boxed().toList()));
  }
}

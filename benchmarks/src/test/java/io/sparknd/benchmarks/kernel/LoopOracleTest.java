/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.benchmarks.kernel.Work.Draw;
import io.sparknd.benchmarks.kernel.Work.Goals;
import io.sparknd.benchmarks.kernel.Work.Op;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The oracle accepts right results of every element type and operation, and no others. */
class LoopOracleTest {
  private static final int RUNS = 5;

  static Stream<Work> works() {
    return Stream.of(WorkType.values())
        .flatMap(
            type -> Stream.of(Op.values()).filter(op -> has(type, op)).map(op -> work(type, op)));
  }

  private static boolean has(WorkType type, Op op) {
    return switch (op) {
      case ADD -> type != WorkType.STRING;
      case MAX -> type == WorkType.FLOAT32;
      case GATHER, GATHER_NEW, UPDATE -> true;
    };
  }

  private static Work work(WorkType type, Op op) {
    List<Integer> shape = List.of(20, 15, 17);
    return new Work("w", op, type, shape, 2, 1000, Draw.UNIFORM, new Goals(1, 1));
  }

  @ParameterizedTest
  @MethodSource("works")
  void sparkNdAgreesWithThePlainLoop(Work work) throws Exception {
    Operands operands = Operands.of(work);
    LoopOracle oracle = new LoopOracle(operands);
    for (Peer peer : List.of(new SparkNdPeer(operands, 2), new LoopPeer(operands, 2))) {
      for (int runs = 1; runs <= RUNS; runs++) {
        peer.run();
        assertThat(oracle.accepts(peer.answer(), runs)).as(peer.name()).isTrue();
      }
      peer.close();
    }
  }

  @ParameterizedTest
  @MethodSource("works")
  void aResultOfFewerElementsOrRunsIsWrong(Work work) throws Exception {
    Operands operands = Operands.of(work);
    LoopOracle oracle = new LoopOracle(operands);
    try (Peer peer = new LoopPeer(operands, 1)) {
      peer.run();
      assertThat(oracle.accepts(ResultElements.of(work.type().storage().allocate(1)), 1)).isFalse();
      assertThat(oracle.accepts(peer.answer(), 2)).isEqualTo(work.op() != Op.ADD);
      assertThat(
              oracle.accepts(
                  ResultElements.of(work.type().storage().allocate(peer.answer().length())), 1))
          .isFalse();
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.FloatBuffer;

/** The expected result, computed by a loop over the tuples in order. */
final class LoopOracle {
  private final Operands operands;
  private final FloatBuffer once;

  LoopOracle(Operands operands) {
    this.operands = operands;
    this.once = FloatBuffer.wrap(once(operands));
  }

  private static float[] once(Operands operands) {
    Work work = operands.work();
    float[] tensor = operands.tensor();
    if (work.op().gathers()) {
      float[] result = new float[operands.rowElements()];
      PlainLoops.gather(tensor, operands.slices(), result, work.inner(), 0, work.count());
      return result;
    }
    PlainLoops.scatter(
        work.op(), tensor, operands.slices(), operands.updates(), work.inner(), 0, work.slices());
    return tensor;
  }

  /**
   * Whether {@code answer} is bit-exact after {@code runs} runs. Operations other than add are
   * idempotent.
   */
  boolean accepts(FloatBuffer answer, int runs) {
    return operands.work().op() == Work.Op.ADD && runs > 1
        ? acceptsSums(answer, runs)
        : once.mismatch(answer) < 0;
  }

  /**
   * Checks repeated adds: with integers below 2^24, every run adds the same values without
   * rounding.
   */
  private boolean acceptsSums(FloatBuffer answer, int runs) {
    boolean[] right = {answer.remaining() == once.remaining()};
    operands.fill(
        (from, before, length) -> {
          for (int i = 0; right[0] && i < length; i++) {
            float added = once.get(from + i) - before[i];
            right[0] = answer.get(from + i) == before[i] + runs * added;
          }
        });
    return right[0];
  }
}

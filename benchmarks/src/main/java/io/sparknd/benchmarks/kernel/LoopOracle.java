/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.tensor.Storage;

/** The expected result, computed by a loop over the tuples in order. */
final class LoopOracle {
  private static final int CHUNK = 1 << 16;

  private final Work work;
  private final Object once;
  private final ResultElements onceAnswer;

  LoopOracle(Operands operands) {
    work = operands.work();
    once = once(operands);
    onceAnswer = ResultElements.of(once);
  }

  private static Object once(Operands operands) {
    Work work = operands.work();
    PlainLoops loops = new PlainLoops(operands);
    Object tensor = operands.tensor();
    if (work.op().gathers()) {
      Object result = work.type().storage().allocate(work.rowElements());
      loops.gather(tensor, result, 0, work.count());
      return result;
    }
    loops.scatter(tensor, operands.updates(), 0, work.slices());
    return tensor;
  }

  /**
   * Whether {@code answer} is bit-exact after {@code runs} runs. Operations other than add are
   * idempotent.
   */
  boolean accepts(ResultElements answer, int runs) {
    if (answer.length() != onceAnswer.length()) {
      return false;
    }
    return work.op() == Work.Op.ADD && runs > 1 ? acceptsSums(answer, runs) : acceptsOnce(answer);
  }

  private boolean acceptsOnce(ResultElements answer) {
    Object given = work.type().storage().allocate(CHUNK);
    for (int from = 0; from < answer.length(); from += CHUNK) {
      int length = Math.min(CHUNK, answer.length() - from);
      answer.read(from, given, length);
      if (!work.type().matches(given, once, from, length)) {
        return false;
      }
    }
    return true;
  }

  /** Checks repeated adds: sums of small integers are exact, so every run adds the same values. */
  private boolean acceptsSums(ResultElements answer, int runs) {
    Storage storage = work.type().storage();
    Object given = storage.allocate(CHUNK);
    Object expected = storage.allocate(CHUNK);
    int[] sums = new int[CHUNK];
    for (int from = 0; from < answer.length(); from += CHUNK) {
      int length = Math.min(CHUNK, answer.length() - from);
      onceAnswer.read(from, expected, length);
      work.type().decode(expected, sums, length);
      for (int i = 0; i < length; i++) {
        int before = Operands.initial(from + i);
        sums[i] = before + runs * (sums[i] - before);
      }
      work.type().encode(sums, expected, length);
      answer.read(from, given, length);
      if (!work.type().matches(given, expected, 0, length)) {
        return false;
      }
    }
    return true;
  }
}

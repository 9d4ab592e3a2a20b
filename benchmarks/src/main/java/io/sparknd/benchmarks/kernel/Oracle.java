/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.FloatBuffer;

/** The right answer: a loop over the tuples in their order. */
final class Oracle {
  private Oracle() {}

  static FloatBuffer answer(Operands operands) {
    Work work = operands.work();
    float[] tensor = operands.tensor();
    if (work.op().gathers()) {
      float[] result = new float[operands.rowElements()];
      PlainLoops.gather(tensor, operands.slices(), result, work.inner(), 0, work.count());
      return FloatBuffer.wrap(result);
    }
    PlainLoops.scatter(
        work.op(), tensor, operands.slices(), operands.updates(), work.inner(), 0, work.slices());
    return FloatBuffer.wrap(tensor);
  }

  /** Whether both hold the same values; all are whole numbers, so nothing is rounded. */
  static boolean same(FloatBuffer expected, FloatBuffer actual) {
    return expected.mismatch(actual) < 0;
  }
}

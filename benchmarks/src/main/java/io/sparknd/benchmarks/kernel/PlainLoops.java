/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

/** Hand-written loops over index tuples. */
final class PlainLoops {
  private final RowStep step;
  private final int[] slices;
  private final int inner;

  PlainLoops(Operands operands) {
    step = RowSteps.of(operands.work());
    slices = operands.slices();
    inner = operands.work().inner();
  }

  /** Gathers rows {@code [from, to)} of the result. */
  void gather(Object tensor, Object result, int from, int to) {
    for (int i = from; i < to; i++) {
      step.apply(tensor, slices[i] * inner, result, i * inner, inner);
    }
  }

  /** Applies all updates to slices {@code [from, to)}, in order. */
  void scatter(Object tensor, Object updates, int from, int to) {
    for (int i = 0; i < slices.length; i++) {
      if (slices[i] >= from && slices[i] < to) {
        step.apply(updates, i * inner, tensor, slices[i] * inner, inner);
      }
    }
  }
}

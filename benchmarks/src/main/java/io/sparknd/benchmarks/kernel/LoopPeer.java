/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.FloatBuffer;

/** A plain Java loop; each thread processes a part of the result or of the tensor. */
final class LoopPeer implements Peer {
  private final Operands operands;
  private final Parts parts;
  private final float[] tensor;
  private float[] result;

  LoopPeer(Operands operands, int threads) {
    this.operands = operands;
    this.parts = new Parts(threads);
    this.tensor = operands.tensor();
    this.result = new float[operands.work().op().gathers() ? operands.rowElements() : 0];
  }

  @Override
  public String name() {
    return "plain Java loop";
  }

  @Override
  public void run() throws Exception {
    Work work = operands.work();
    if (work.op() == Work.Op.GATHER_NEW) {
      result = new float[operands.rowElements()];
    }
    if (work.op().gathers()) {
      parts.run(
          work.count(),
          (from, to) ->
              PlainLoops.gather(tensor, operands.slices(), result, work.inner(), from, to));
    } else {
      parts.run(
          work.slices(),
          (from, to) ->
              PlainLoops.scatter(
                  work.op(),
                  tensor,
                  operands.slices(),
                  operands.updates(),
                  work.inner(),
                  from,
                  to));
    }
  }

  @Override
  public FloatBuffer answer() {
    return FloatBuffer.wrap(operands.work().op().gathers() ? result : tensor);
  }

  @Override
  public void close() {
    parts.close();
  }
}

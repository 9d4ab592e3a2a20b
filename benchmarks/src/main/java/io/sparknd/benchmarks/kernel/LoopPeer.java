/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

/** A plain Java loop; each thread processes a part of the result or of the tensor. */
final class LoopPeer implements Peer {
  private final Operands operands;
  private final Work work;
  private final PlainLoops loops;
  private final Parts parts;
  private final Object tensor;
  private Object result;

  LoopPeer(Operands operands, int threads) {
    this.operands = operands;
    this.work = operands.work();
    this.loops = new PlainLoops(operands);
    this.parts = new Parts(threads);
    this.tensor = operands.tensor();
    this.result = newResult();
  }

  private Object newResult() {
    return work.type().storage().allocate(work.op().gathers() ? work.rowElements() : 0);
  }

  @Override
  public String name() {
    return "plain Java loop";
  }

  @Override
  public void run() throws Exception {
    if (work.op() == Work.Op.GATHER_NEW) {
      result = newResult();
    }
    if (work.op().gathers()) {
      parts.run(work.count(), (from, to) -> loops.gather(tensor, result, from, to));
    } else {
      parts.run(work.slices(), (from, to) -> loops.scatter(tensor, operands.updates(), from, to));
    }
  }

  @Override
  public ResultElements answer() {
    return ResultElements.of(work.op().gathers() ? result : tensor);
  }

  @Override
  public void close() {
    parts.close();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.report.PeerResult.Role;

/** Copies as many bytes as the slices hold, sequentially: the machine's limit. */
final class CopyYardstick implements Peer {
  private final Parts parts;
  private final int elements;
  private final Object from;
  private final Object to;

  CopyYardstick(Operands operands, int threads) {
    parts = new Parts(threads);
    Work work = operands.work();
    elements = work.rowElements();
    from = work.type().storage().allocate(elements);
    to = work.type().storage().allocate(elements);
  }

  @Override
  public String name() {
    return "memory copy, in order";
  }

  @Override
  public void run() throws Exception {
    parts.run(elements, (begin, end) -> System.arraycopy(from, begin, to, begin, end - begin));
  }

  @Override
  public ResultElements answer() {
    return ResultElements.of(to);
  }

  @Override
  public Role role() {
    return Role.YARDSTICK;
  }

  @Override
  public void close() {
    parts.close();
  }
}

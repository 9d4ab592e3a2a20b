/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.nio.FloatBuffer;

/** Copies as many bytes as the slices hold, sequentially: the machine's limit. */
final class CopyYardstick implements Peer {
  private final Parts parts;
  private final float[] from;
  private final float[] to;

  CopyYardstick(Operands operands, int threads) {
    parts = new Parts(threads);
    from = new float[operands.rowElements()];
    to = new float[from.length];
  }

  @Override
  public String name() {
    return "memory copy, in order";
  }

  @Override
  public void run() throws Exception {
    parts.run(from.length, (begin, end) -> System.arraycopy(from, begin, to, begin, end - begin));
  }

  @Override
  public FloatBuffer answer() {
    return FloatBuffer.wrap(to);
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

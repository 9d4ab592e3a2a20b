/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.util.ArrayList;
import java.util.List;

/** All peers that have a benchmark's operator and element type, ours first. */
final class Peers {
  private Peers() {}

  static List<Peer> of(Operands operands, int threads) throws Exception {
    Work work = operands.work();
    List<Peer> peers = new ArrayList<>();
    peers.add(new SparkNdPeer(operands, threads));
    if (OnnxPeer.supports(work)) {
      peers.add(new OnnxPeer(operands, threads));
    }
    if (PyTorchPeer.supports(work)) {
      peers.add(new PyTorchPeer(operands, threads));
    }
    if (TensorFlowPeer.supports(work)) {
      peers.add(new TensorFlowPeer(operands, threads));
    }
    peers.add(new LoopPeer(operands, threads));
    peers.add(new CopyYardstick(operands, threads));
    return peers;
  }
}

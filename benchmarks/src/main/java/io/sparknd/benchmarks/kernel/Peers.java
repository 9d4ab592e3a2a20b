/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.util.ArrayList;
import java.util.List;

/** All peers, ours first. */
final class Peers {
  private Peers() {}

  static List<Peer> of(Operands operands, int threads) throws Exception {
    List<Peer> peers = new ArrayList<>();
    peers.add(new SparkNdPeer(operands, threads));
    peers.add(new OnnxPeer(operands, threads));
    peers.add(new PyTorchPeer(operands, threads));
    peers.add(new TensorFlowPeer(operands, threads));
    peers.add(new LoopPeer(operands, threads));
    peers.add(new CopyYardstick(operands, threads));
    return peers;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import java.nio.FloatBuffer;
import java.util.ArrayList;
import java.util.List;

/** A peer whose answer has been checked, with the times that it took. */
final class Contender {
  private final Peer peer;
  private final Role role;
  private final int count;
  private final List<Double> nanosPerTuple = new ArrayList<>();

  private Contender(Peer peer, Role role, int count) {
    this.peer = peer;
    this.role = role;
    this.count = count;
  }

  /** Lets {@code peer} do the work once and compares its answer. */
  static Contender check(Peer peer, FloatBuffer expected, int count) throws Exception {
    peer.run();
    if (peer.role() == Role.YARDSTICK || Oracle.same(expected, peer.answer())) {
      return new Contender(peer, peer.role(), count);
    }
    if (peer.role() == Role.OURS) {
      throw new IllegalStateException("our own answer is wrong");
    }
    return new Contender(peer, Role.WRONG, count);
  }

  /** Does the work once more. */
  double nanosPerTuple() throws Exception {
    long start = System.nanoTime();
    peer.run();
    return (System.nanoTime() - start) / (double) count;
  }

  void keep(double nanos) {
    nanosPerTuple.add(nanos);
  }

  PeerResult result() {
    return new PeerResult(peer.name(), role, new Samples(nanosPerTuple));
  }

  void close() throws Exception {
    peer.close();
  }
}

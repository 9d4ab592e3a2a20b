/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import java.util.ArrayList;
import java.util.List;

/** A peer with its times and whether its result was correct. */
final class Contender {
  private final Peer peer;
  private final LoopOracle oracle;
  private final int count;
  private final List<Double> nanosPerTuple = new ArrayList<>();
  private Role role;
  private int runs;

  /**
   * @param count the index tuples of a run
   */
  Contender(Peer peer, LoopOracle oracle, int count) {
    this.peer = peer;
    this.oracle = oracle;
    this.count = count;
    this.role = peer.role();
  }

  /** Runs once and returns the time per index tuple in nanoseconds. */
  double run() throws Exception {
    long start = System.nanoTime();
    peer.run();
    double nanos = System.nanoTime() - start;
    runs++;
    return nanos / count;
  }

  void keep(double nanos) {
    nanosPerTuple.add(nanos);
  }

  /**
   * Checks the result. A peer that was wrong once stays wrong, because racing threads do not always
   * collide.
   *
   * @throws IllegalStateException if our own result is wrong
   */
  void check() throws Exception {
    if (role == Role.YARDSTICK || oracle.accepts(peer.answer(), runs)) {
      return;
    }
    if (role == Role.OURS) {
      throw new IllegalStateException("SparkND's result is wrong after " + runs + " runs");
    }
    role = Role.WRONG;
  }

  PeerResult result() {
    return new PeerResult(peer.name(), role, new Samples(nanosPerTuple));
  }

  void close() throws Exception {
    peer.close();
  }
}

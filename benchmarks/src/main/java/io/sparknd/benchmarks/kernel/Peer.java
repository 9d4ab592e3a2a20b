/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.report.PeerResult.Role;

/** An implementation of one benchmark, with its own operands. */
interface Peer extends AutoCloseable {
  /** The name and the operator. */
  String name();

  /** Runs once; repeated scatters update the same tensor. */
  void run() throws Exception;

  /** Returns the tensor, or the result of a gather, after the last run. */
  ResultElements answer() throws Exception;

  /** The role; {@link Role#CORRECT} if the result is to be checked. */
  default Role role() {
    return Role.CORRECT;
  }

  @Override
  default void close() throws Exception {}
}

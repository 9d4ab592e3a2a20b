/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.nio.FloatBuffer;

/** Someone who can do a piece of work; made for one, with operands of its own. */
interface Peer extends AutoCloseable {
  /** Name and operator. */
  String name();

  /** Does the work once; scatters change the same tensor again and again. */
  void run() throws Exception;

  /** The tensor, or the result of a gather, after the last run. */
  FloatBuffer answer() throws Exception;

  /** {@link Role#CORRECT} for a peer whose answer is to be checked. */
  default Role role() {
    return Role.CORRECT;
  }

  @Override
  default void close() throws Exception {}
}

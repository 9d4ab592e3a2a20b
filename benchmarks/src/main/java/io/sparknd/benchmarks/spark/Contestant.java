/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.OptionalLong;

/** One way to do a piece of work on Spark. */
interface Contestant {
  String name();

  Role role();

  /** Does the work once, with all that a user would wait for. */
  void run();

  /** A checksum of the answer; empty where there is none to compare. */
  OptionalLong answer();

  /** Whether the next run needs what a run leaves in memory. */
  default boolean goesOn() {
    return false;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult.Role;
import java.util.OptionalLong;

/** One implementation of a benchmark on Spark. */
interface SparkPeer extends AutoCloseable {
  String name();

  Role role();

  /** Runs once, including everything that a user would wait for. */
  void run();

  /** Returns a checksum of the result; empty if it is not compared. */
  OptionalLong answer();

  /** Whether the next run needs the cached data of a run. */
  default boolean goesOn() {
    return false;
  }

  /** Releases what the runs share. */
  @Override
  default void close() {}
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import java.util.List;

/**
 * Finds the largest table that a heap of 1 GiB trains, driver and executors together. The table
 * doubles until a trial fails or {@link #MAX_ROWS} are reached. Every trial is a process.
 */
record HeapRows() {
  static final String ID = "heap";

  private static final long HEAP = 1L << 30;
  private static final int FIRST_ROWS = 100_000;

  /** A table of 1.6 GB. */
  private static final int MAX_ROWS = 6_400_000;

  /** Measures the bytes of heap per row of the largest table. */
  WorkComparison run() {
    return new WorkComparison(
        ID + ": heap for a row of the largest table of 64 weights that 1 GiB trains",
        2,
        1,
        "bytes",
        List.of(
            result("SparkND", Role.OURS, "sparknd"), result("Word2Vec", Role.CORRECT, "mllib")));
  }

  private static PeerResult result(String name, Role role, String who) {
    int most = 0;
    for (int rows = FIRST_ROWS; rows <= MAX_ROWS && succeeds(who, rows); rows *= 2) {
      most = rows;
    }
    if (most == 0) {
      throw new IllegalStateException(
          "%s does not train %,d rows in %,d bytes of heap, so there is no result: see the trial's"
                  .formatted(name, FIRST_ROWS, HEAP)
              + " own error by running it alone");
    }
    return new PeerResult(name, role, new Samples(List.of((double) HEAP / most)));
  }

  private static boolean succeeds(String who, int rows) {
    boolean succeeded =
        new TrialProcess(HeapTrial.class, HEAP, List.of(who, Integer.toString(rows)))
            .run()
            .isPresent();
    System.out.printf("%s, %,d rows: %s%n", who, rows, succeeded ? "trained" : "failed");
    return succeeded;
  }
}

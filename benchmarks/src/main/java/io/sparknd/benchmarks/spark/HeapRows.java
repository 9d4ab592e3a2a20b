/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.benchmarks.report.PeerResult;
import io.sparknd.benchmarks.report.PeerResult.Role;
import io.sparknd.benchmarks.report.Samples;
import io.sparknd.benchmarks.report.WorkComparison;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

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

  private static final int MAX_MINUTES = 15;

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
    try {
      Process trial =
          new ProcessBuilder(command(who, rows))
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      boolean ended = trial.waitFor(MAX_MINUTES, TimeUnit.MINUTES);
      trial.destroyForcibly();
      boolean succeeded = ended && trial.exitValue() == 0;
      System.out.printf("%s, %,d rows: %s%n", who, rows, succeeded ? "trained" : "failed");
      return succeeded;
    } catch (IOException e) {
      throw new IllegalStateException("cannot start a JVM", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException("interrupted", e);
    }
  }

  /** Returns the command of a trial; it inherits the class path from the environment. */
  private static List<String> command(String who, int rows) {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
        .filter(argument -> !argument.startsWith("-Xm") && !argument.startsWith("-Xlog"))
        .forEach(command::add);
    command.add("-Xmx" + HEAP);
    command.add("-XX:+ExitOnOutOfMemoryError");
    command.addAll(List.of(HeapTrial.class.getName(), who, Integer.toString(rows)));
    return command;
  }
}

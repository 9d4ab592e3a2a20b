/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.tensor.SparkNdException;
import java.io.PrintWriter;
import picocli.CommandLine;

/** How errors reach the user. */
final class Failures {
  private Failures() {}

  /** One line for what SparkND refuses, one and a hint for anything else; the exit code. */
  static int report(Throwable error, CommandLine line, boolean verbose) {
    PrintWriter err = line.getErr();
    boolean refused = error instanceof SparkNdException;
    err.println("sparknd: " + (refused ? error.getMessage() : "unexpected " + summary(error)));
    if (verbose && !refused) {
      error.printStackTrace(err);
    } else if (!refused) {
      err.println("sparknd: the same command with --verbose shows where this comes from");
    }
    err.flush();
    return refused ? Main.REFUSED : Main.UNEXPECTED;
  }

  private static String summary(Throwable error) {
    String first = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    return error.getClass().getName() + ": " + first;
  }

  static int outOfMemory(OutOfMemoryError error, CommandLine line) {
    PrintWriter err = line.getErr();
    err.println("sparknd: out of memory: " + error.getMessage());
    err.println("sparknd: give the JVM more, such as SPARKND_JAVA_OPTS=-Xmx8g");
    err.flush();
    return Main.UNEXPECTED;
  }
}

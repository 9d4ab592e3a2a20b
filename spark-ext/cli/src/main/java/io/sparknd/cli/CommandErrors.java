/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli;

import io.sparknd.cli.support.ConditionMessage;
import io.sparknd.cli.support.StatementFailure;
import io.sparknd.tensor.ErrorCondition;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.Optional;
import picocli.CommandLine;

/** Prints errors of commands for the user. */
final class CommandErrors {
  private CommandErrors() {}

  /**
   * Prints one line for a SparkND error; for any other error also a hint. If {@code verbose},
   * prints the stack trace of such an error and that of a statement. Returns the exit code.
   */
  static int report(Throwable error, CommandLine line, boolean verbose) {
    PrintWriter err = line.getErr();
    Optional<SparkNdException> userError = userError(error);
    boolean isUserError = userError.isPresent();
    boolean isTraced = !isUserError || isOfStatement(userError.get());
    err.println(
        "sparknd: "
            + userError
                .map(CommandErrors::message)
                .orElseGet(() -> "internal error: " + summary(error)));
    if (verbose && isTraced) {
      error.printStackTrace(err);
    } else if (!isUserError) {
      err.println("sparknd: run the command with --verbose to print the stack trace");
    }
    err.flush();
    return isUserError ? Main.USER_ERROR : Main.UNEXPECTED;
  }

  private static boolean isOfStatement(SparkNdException error) {
    return error.condition().equals(ErrorCondition.STATEMENT_FAILED.fullName());
  }

  /** Returns the message after the condition; statements that failed have a condition inside. */
  private static String message(SparkNdException error) {
    return isOfStatement(error) ? String.valueOf(error.getMessage()) : ConditionMessage.of(error);
  }

  /** Returns the SparkND error among the causes, which Spark may have wrapped in a task failure. */
  private static Optional<SparkNdException> userError(Throwable error) {
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkNdException own) {
        return Optional.of(own);
      }
    }
    return Optional.empty();
  }

  private static String summary(Throwable error) {
    String first = String.valueOf(error.getMessage()).lines().findFirst().orElse("");
    return error instanceof StatementFailure ? first : error.getClass().getName() + ": " + first;
  }

  /** Reports that standard output could not be written; in silence if its reader has ended. */
  static int unwritten(IOException failure, CommandLine line) {
    if (!String.valueOf(failure.getMessage()).contains("Broken pipe")) {
      line.getErr().println("sparknd: cannot write to standard output: " + failure.getMessage());
      line.getErr().flush();
    }
    return Main.USER_ERROR;
  }

  static int outOfMemory(OutOfMemoryError error, CommandLine line) {
    PrintWriter err = line.getErr();
    err.println("sparknd: out of memory: " + error.getMessage());
    err.println("sparknd: give the JVM more, such as SPARKND_JAVA_OPTS=-Xmx8g");
    err.flush();
    return Main.UNEXPECTED;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import io.sparknd.cli.support.CliErrors;
import io.sparknd.cli.support.ConditionMessage;
import io.sparknd.cli.support.StatementFailure;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Optional;
import org.apache.spark.SparkThrowable;
import org.apache.spark.sql.AnalysisException;

/** Extracts the part of an error that concerns the author of a statement. */
final class StatementErrors {
  /** Precedes the statement in which Spark's parser marks the position. */
  private static final String STATEMENT = "== SQL";

  /** How messages of Spark begin that say only where the cause was thrown. */
  private static final List<String> WRAPPERS =
      List.of("Job aborted", "[FAILED_EXECUTE", "[TASK_WRITE_FAILED");

  private StatementErrors() {}

  /** Returns the error of a script, of which a statement failed. */
  static RuntimeException failure(int number, int statements, Throwable cause) {
    String place = statements == 1 ? "" : "statement " + number + " of " + statements + ": ";
    return userError(cause).isPresent()
        ? CliErrors.statementFailed(place, message(cause), cause)
        : new StatementFailure(place + message(cause), cause);
  }

  /**
   * Returns the message of the user error among the causes, else the class and the message of the
   * cause inside wrappers.
   */
  static String message(Throwable error) {
    return userError(error).map(StatementErrors::ownMessage).orElseGet(() -> classed(error));
  }

  /**
   * Returns the cause that concerns the statement or its data, first of all SparkND's own. Other
   * causes have no condition, or that of an internal error of Spark.
   */
  private static Optional<Throwable> userError(Throwable error) {
    Throwable found = null;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkNdException) {
        return Optional.of(cause);
      }
      found = found == null && isUserError(cause) ? cause : found;
    }
    return Optional.ofNullable(found);
  }

  private static boolean isUserError(Throwable error) {
    boolean hasCondition =
        error instanceof SparkThrowable known
            && known.getCondition() != null
            && !known.isInternalError();
    return error instanceof AnalysisException || (hasCondition && !isWrapper(error));
  }

  private static String ownMessage(Throwable error) {
    if (error instanceof SparkNdException own) {
      return ConditionMessage.of(own);
    }
    String message = String.valueOf(error.getMessage());
    boolean endsInPlan = error instanceof AnalysisException && !message.contains(STATEMENT);
    message = endsInPlan ? ((AnalysisException) error).getSimpleMessage() : message;
    return message.strip();
  }

  private static String classed(Throwable error) {
    Throwable shown = error;
    while (shown.getCause() != null && (isWrapper(shown) || shown.getMessage() == null)) {
      shown = shown.getCause();
    }
    String message = shown.getMessage();
    return shown.getClass().getName() + (message == null ? "" : ": " + message.strip());
  }

  private static boolean isWrapper(Throwable error) {
    String message = String.valueOf(error.getMessage());
    return WRAPPERS.stream().anyMatch(message::startsWith);
  }
}

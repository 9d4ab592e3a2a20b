/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import io.sparknd.cli.support.ConditionMessage;
import io.sparknd.tensor.SparkNdException;
import org.apache.spark.sql.AnalysisException;

/** Extracts the part of an error that concerns the author of a statement. */
final class StatementErrors {
  /** Precedes the statement in which Spark's parser marks the position. */
  private static final String STATEMENT = "== SQL";

  private StatementErrors() {}

  /**
   * Returns the message of the SparkND error among the causes, else that of the cause inside
   * Spark's task wrappers.
   */
  static String message(Throwable error) {
    Throwable shown = error;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkNdException own) {
        return ConditionMessage.of(own);
      }
      shown = isWrapper(shown) && cause.getMessage() != null ? cause : shown;
    }
    String message = String.valueOf(shown.getMessage());
    boolean endsInPlan = shown instanceof AnalysisException && !message.contains(STATEMENT);
    message = endsInPlan ? ((AnalysisException) shown).getSimpleMessage() : message;
    return message.strip();
  }

  private static boolean isWrapper(Throwable error) {
    String message = String.valueOf(error.getMessage());
    return message.startsWith("Job aborted") || message.startsWith("[FAILED_EXECUTE");
  }
}

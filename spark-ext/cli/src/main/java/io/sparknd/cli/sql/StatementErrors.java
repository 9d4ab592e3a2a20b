/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.sql;

import io.sparknd.tensor.SparkNdException;
import org.apache.spark.sql.AnalysisException;

/** What of an error the writer of a statement needs to see. */
final class StatementErrors {
  /** Heads the statement in which Spark's parser marks the place. */
  private static final String STATEMENT = "== SQL";

  private StatementErrors() {}

  /** SparkND's own message, else that of the cause which Spark has wrapped for its tasks. */
  static String message(Throwable error) {
    Throwable shown = error;
    for (Throwable cause = error; cause != null; cause = cause.getCause()) {
      if (cause instanceof SparkNdException) {
        return cause.getMessage();
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.lang.StackWalker.StackFrame;
import java.util.Optional;
import org.apache.spark.QueryContext;
import org.jspecify.annotations.Nullable;

/**
 * What Spark's clients may see of an error. They look up the text of a condition among those of
 * Spark, and fail with an internal error where it is not among them, so that the caller would get
 * neither condition nor message.
 *
 * <p>Each method answers for the method that calls the one of the error; the frames of reflection
 * do not count.
 */
final class ClientErrors {
  private static final String PY4J = "py4j.";
  private static final String CONNECT = "org.apache.spark.sql.connect.";

  /** The method that writes what clients in Python read, who look nothing up. */
  private static final String STATUS = "buildStatusFromThrowable";

  private ClientErrors() {}

  /**
   * Returns a copy of {@code context}; empty for classic PySpark, which calls Java by Py4J and logs
   * an error that has a context with the message of its condition.
   */
  static QueryContext[] context(QueryContext[] context) {
    boolean isPySpark = caller().filter(caller -> isOf(caller, PY4J)).isPresent();
    return isPySpark ? new QueryContext[0] : context.clone();
  }

  /**
   * Returns {@code condition}; null for the details that a Spark Connect server sends, from which
   * clients in Java and Scala build {@code IllegalArgumentException} and {@code AnalysisException}
   * by condition, if there is one, and else by message.
   */
  static @Nullable String condition(String condition) {
    boolean isLookedUp =
        caller()
            .filter(caller -> isOf(caller, CONNECT) && !caller.getMethodName().equals(STATUS))
            .isPresent();
    return isLookedUp ? null : condition;
  }

  /** Returns {@code message}; after the condition, as Spark's messages, for Spark Connect. */
  static String message(String condition, String message) {
    boolean isSent = caller().filter(caller -> isOf(caller, CONNECT)).isPresent();
    return isSent ? "[" + condition + "] " + message : message;
  }

  private static boolean isOf(StackFrame caller, String packagePrefix) {
    return caller.getClassName().startsWith(packagePrefix);
  }

  /** Returns the caller of the error's method, which called a method of this class. */
  private static Optional<StackFrame> caller() {
    return StackWalker.getInstance().walk(frames -> frames.skip(3).findFirst());
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import org.apache.spark.QueryContext;

/**
 * Hides the context of errors from classic PySpark, which calls Java by Py4J.
 *
 * <p>PySpark logs an error that has a context while it converts it, with the message that Spark has
 * for the condition. Spark has messages for its own conditions only, so that the conversion would
 * fail with an internal error, and the caller would get neither condition nor message.
 */
final class PySparkContexts {
  private static final String PY4J = "py4j.";

  private PySparkContexts() {}

  /**
   * Returns a copy of {@code context}; empty if the method that calls this one is called by Py4J.
   */
  static QueryContext[] visible(QueryContext[] context) {
    // the walk leaves out the frames of reflection
    boolean isPySpark =
        StackWalker.getInstance()
            .walk(frames -> frames.skip(2).findFirst())
            .filter(caller -> caller.getClassName().startsWith(PY4J))
            .isPresent();
    return isPySpark ? new QueryContext[0] : context.clone();
  }
}

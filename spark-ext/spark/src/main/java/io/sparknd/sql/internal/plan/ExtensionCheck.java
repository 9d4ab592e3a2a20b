/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.sql.internal.SqlErrors;
import org.apache.spark.sql.classic.SparkSession;
import scala.Option;

/**
 * Checks that a session has the extension. Names of table functions are built-in ones of the JVM,
 * so that sessions without it resolve them, too, and would fail with an internal error of Spark.
 */
final class ExtensionCheck {
  private ExtensionCheck() {}

  /**
   * Checks the session that analyzes a call in this thread.
   *
   * @throws io.sparknd.tensor.SparkNdException if it was started without the extension
   */
  static void ofActiveSession() {
    Option<org.apache.spark.sql.SparkSession> active =
        org.apache.spark.sql.SparkSession.getActiveSession();
    if (active.isDefined() && active.get() instanceof SparkSession session && !isPlanned(session)) {
      throw SqlErrors.sessionWithoutExtension();
    }
  }

  private static boolean isPlanned(SparkSession session) {
    return ScalaSeqs.list(session.sessionState().planner().strategies()).stream()
        .anyMatch(TensorStrategy.class::isInstance);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd;

import org.apache.spark.sql.SparkSession;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.engine.support.descriptor.ClassSource;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;

/** Clears the thread's active session after each test class, so that no class depends on others. */
public final class ActiveSessionReset implements TestExecutionListener {
  @Override
  public void executionFinished(TestIdentifier test, TestExecutionResult result) {
    if (test.isContainer() && test.getSource().filter(ClassSource.class::isInstance).isPresent()) {
      SparkSession.clearActiveSession();
    }
  }
}

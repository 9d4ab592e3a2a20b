/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.junit.jupiter.api.extension.ConditionEvaluationResult.disabled;
import static org.junit.jupiter.api.extension.ConditionEvaluationResult.enabled;

import io.sparknd.kernel.cudf.Gpu;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.opentest4j.TestAbortedException;

/**
 * Checks for a GPU before a test starts a session, because the Accelerator ends the JVM if it finds
 * none. With automatic detection of extensions, the condition applies to all tests of a JVM.
 */
public final class NeedsGpu implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (!System.getProperty("spark.rapids.sql.mode", "").equals("executeOnGPU")) {
      return disabled("spark.rapids.sql.mode is not executeOnGPU");
    }
    try {
      Gpu.need();
      return enabled("there is a GPU");
    } catch (TestAbortedException e) {
      return disabled(e.getMessage());
    }
  }
}

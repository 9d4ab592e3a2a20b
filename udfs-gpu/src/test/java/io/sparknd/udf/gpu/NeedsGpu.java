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
 * Looks for a GPU before a test starts a session: the Accelerator ends a JVM in which it finds
 * none. With automatic detection of extensions, it does so for all tests of a JVM.
 */
public final class NeedsGpu implements ExecutionCondition {
  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    if (!System.getProperty("spark.rapids.sql.mode", "").equals("executeOnGPU")) {
      return disabled("the Accelerator is not asked to run queries");
    }
    try {
      Gpu.need();
      return enabled("there is a GPU");
    } catch (TestAbortedException e) {
      return disabled(e.getMessage());
    }
  }
}

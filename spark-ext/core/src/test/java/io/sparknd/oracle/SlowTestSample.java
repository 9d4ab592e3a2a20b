/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.oracle;

import java.util.Random;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * Skips some of the test methods with the tag {@code slow}, others in each run, so that all checks
 * of a change end within an hour. {@code -Dsparknd.test.share=0.07} runs that share of them;
 * without it, all run.
 */
public final class SlowTestSample implements ExecutionCondition {
  private static final double SHARE =
      Double.parseDouble(System.getProperty("sparknd.test.share", "1"));
  private static final Random RANDOM = new Random();

  @Override
  public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
    String id = context.getUniqueId();
    String last = id.substring(id.lastIndexOf('/') + 1);
    // invocations of one method may need those before them
    boolean isMethod = last.startsWith("[method:") || last.startsWith("[test-template:");
    boolean isSkipped =
        isMethod && context.getTags().contains("slow") && RANDOM.nextDouble() >= SHARE;
    return isSkipped
        ? ConditionEvaluationResult.disabled("runs in other runs: sparknd.test.share is " + SHARE)
        : ConditionEvaluationResult.enabled("runs");
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.evaluation.MetricValue;
import java.util.List;

/**
 * A validation after a step.
 *
 * @param step the last completed step, counted as in {@link TrainedStep}
 * @param metrics at least one; the first is the one to follow
 * @param seconds from the beginning of the run to the end of the validation
 */
public record ValidatedStep(long step, List<MetricValue> metrics, double seconds) {
  public ValidatedStep {
    metrics = List.copyOf(metrics);
  }

  /** Returns whether the first metric is better than that of another validation. */
  boolean isBetterThan(ValidatedStep other, double minDelta) {
    MetricValue own = metrics.get(0);
    return own.goal().isBetter(own.value(), other.metrics.get(0).value(), minDelta);
  }

  /** Returns the best of validations, the first of equal ones. */
  static ValidatedStep best(List<ValidatedStep> validations) {
    return validations.stream()
        .reduce((best, next) -> next.isBetterThan(best, 0) ? next : best)
        .orElseThrow();
  }
}

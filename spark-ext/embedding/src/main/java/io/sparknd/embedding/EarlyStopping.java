/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.TrainingErrors;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * When a training stops before its last step: after {@code patience} validations in a row whose
 * first metric is not better than the best before by more than {@code minDelta}, as Keras'
 * EarlyStopping does.
 *
 * @param patience at least 1
 * @param minDelta at least 0, in units of the metric
 */
public record EarlyStopping(int patience, double minDelta) {
  public EarlyStopping {
    if (patience < 1) {
      throw TrainingErrors.badTraining("patience", patience);
    }
    if (!(minDelta >= 0)) {
      throw TrainingErrors.badMinDelta(minDelta);
    }
  }

  /** Returns a rule by which every improvement counts. */
  public static EarlyStopping patience(int validations) {
    return new EarlyStopping(validations, 0);
  }

  public EarlyStopping withMinDelta(double delta) {
    return new EarlyStopping(patience, delta);
  }

  /** Returns whether the training stops after these validations. */
  boolean isReached(List<ValidatedStep> validations) {
    int waited = 0;
    @Nullable ValidatedStep best = null;
    for (ValidatedStep validation : validations) {
      if (best == null || validation.isBetterThan(best, minDelta)) {
        best = validation;
        waited = 0;
      } else if (++waited == patience) {
        return true;
      }
    }
    return false;
  }
}

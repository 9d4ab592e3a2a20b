/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.step.LossSum;
import java.io.Serializable;
import org.jspecify.annotations.Nullable;

/**
 * The loss of a mini-batch as reported by a step function.
 *
 * @param sum sum of the losses of the examples
 * @param examples number of examples
 */
public record Loss(double sum, long examples) implements Serializable {
  public static final Loss NONE = new Loss(0, 0);

  /** Returns a loss as the engine adds it; null if there is none. */
  static @Nullable LossSum sumOf(@Nullable Loss loss) {
    return loss == null ? null : loss.total();
  }

  private LossSum total() {
    return new LossSum(sum, examples);
  }

  static Loss of(LossSum loss) {
    return new Loss(loss.sum(), loss.examples());
  }

  /** Returns the loss of both mini-batches together. */
  public Loss and(Loss other) {
    return of(total().plus(other.total()));
  }

  /** Returns the mean loss per example; NaN without examples. */
  public double mean() {
    return total().mean();
  }
}

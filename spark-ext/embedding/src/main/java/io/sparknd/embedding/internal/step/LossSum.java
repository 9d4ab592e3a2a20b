/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import java.io.Serializable;

/**
 * The loss of some examples.
 *
 * @param sum sum of the losses of the examples
 * @param examples number of examples
 */
public record LossSum(double sum, long examples) implements Serializable {
  public static final LossSum NONE = new LossSum(0, 0);

  /** Returns the loss of these examples and others. */
  public LossSum plus(LossSum other) {
    return new LossSum(sum + other.sum, examples + other.examples);
  }

  /** Returns the mean loss per example; NaN without examples. */
  public double mean() {
    return sum / examples;
  }
}

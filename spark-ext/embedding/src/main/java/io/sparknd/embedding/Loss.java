/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;

/**
 * The loss of a mini-batch as reported by a step function.
 *
 * @param sum sum of the losses of the examples
 * @param examples number of examples
 */
public record Loss(double sum, long examples) implements Serializable {
  public static final Loss NONE = new Loss(0, 0);

  /** Returns the loss of both mini-batches together. */
  public Loss and(Loss other) {
    return new Loss(sum + other.sum, examples + other.examples);
  }

  /** Returns the mean loss per example; NaN without examples. */
  public double mean() {
    return sum / examples;
  }
}

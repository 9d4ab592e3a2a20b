/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;

/**
 * What a step function reports of a mini-batch.
 *
 * @param sum of the losses of its examples
 * @param examples how many
 */
public record Loss(double sum, long examples) implements Serializable {
  public static final Loss NONE = new Loss(0, 0);

  /** The loss of both, as if they were one mini-batch. */
  public Loss and(Loss other) {
    return new Loss(sum + other.sum, examples + other.examples);
  }

  /** The mean loss of an example; NaN without examples. */
  public double mean() {
    return sum / examples;
  }
}

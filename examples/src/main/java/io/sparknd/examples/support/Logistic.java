/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

/** Converts scores to probabilities of a label 0 or 1. */
public final class Logistic {
  private Logistic() {}

  /** Returns the probability of label 1. */
  public static double probability(double score) {
    return 1 / (1 + Math.exp(-score));
  }

  /**
   * Returns the negative logarithm of the probability of {@code label}; finite for every finite
   * score.
   */
  public static double loss(double score, int label) {
    double against = label == 1 ? -score : score;
    // the argument is in [1, 2], where log loses no accuracy that the sum keeps
    return Math.max(against, 0) + Math.log(1 + Math.exp(-Math.abs(against)));
  }
}

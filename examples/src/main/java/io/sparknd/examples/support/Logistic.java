/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

/** Scores as probabilities of a label that is 0 or 1. */
public final class Logistic {
  private Logistic() {}

  /** The probability of label 1. */
  public static double probability(double score) {
    return 1 / (1 + Math.exp(-score));
  }

  /** The negative logarithm of the probability of {@code label}; finite for every finite score. */
  public static double loss(double score, int label) {
    double against = label == 1 ? -score : score;
    return Math.max(against, 0) + Math.log1p(Math.exp(-Math.abs(against)));
  }
}

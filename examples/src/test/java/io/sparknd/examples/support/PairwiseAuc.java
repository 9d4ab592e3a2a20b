/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

/** The area under the ROC curve by its definition, for tests without Spark. */
public final class PairwiseAuc {
  private PairwiseAuc() {}

  /** Returns the share of pairs in which the positive example has the higher score. */
  public static double of(double[] positives, double[] negatives) {
    double right = 0;
    for (double positive : positives) {
      for (double negative : negatives) {
        right += positive > negative ? 1 : positive == negative ? 0.5 : 0;
      }
    }
    return right / positives.length / negatives.length;
  }
}

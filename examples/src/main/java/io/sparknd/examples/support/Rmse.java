/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

/** The root-mean-square error. */
public final class Rmse {
  private Rmse() {}

  /** Returns the RMSE of as many predictions as values. */
  public static double of(double[] predicted, double[] actual) {
    double sum = 0;
    for (int i = 0; i < actual.length; i++) {
      sum += (predicted[i] - actual[i]) * (predicted[i] - actual[i]);
    }
    return Math.sqrt(sum / actual.length);
  }
}

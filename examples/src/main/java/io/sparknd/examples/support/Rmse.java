/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

/** The root of the mean squared error. */
public final class Rmse {
  private Rmse() {}

  /** Of predictions of values, as many. */
  public static double of(double[] predicted, double[] actual) {
    double sum = 0;
    for (int i = 0; i < actual.length; i++) {
      sum += (predicted[i] - actual[i]) * (predicted[i] - actual[i]);
    }
    return Math.sqrt(sum / actual.length);
  }
}

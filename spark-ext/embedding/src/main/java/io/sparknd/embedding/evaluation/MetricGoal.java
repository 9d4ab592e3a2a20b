/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.evaluation;

/** Whether larger or smaller values of a metric are better. */
public enum MetricGoal {
  MAXIMIZE,
  MINIMIZE;

  /**
   * Returns whether {@code value} is better than {@code other} by more than {@code minDelta}. NaN
   * is never better, and every other value is better than NaN.
   *
   * @param minDelta at least 0
   */
  public boolean isBetter(double value, double other, double minDelta) {
    if (Double.isNaN(other)) {
      return !Double.isNaN(value);
    }
    return this == MAXIMIZE ? value > other + minDelta : value < other - minDelta;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import java.util.function.IntUnaryOperator;

/**
 * Evaluates a factorisation machine on one example at a time. With sums over features, all pairs of
 * features take linear time: {@code sum of <a, b> = (|sum of a|^2 - sum of |a|^2) / 2}.
 */
final class FmExample {
  private final float[] values;
  private final int dim;
  private final int[] starts;
  private final float[] sums;
  private int bias;
  private float score;

  /**
   * @param values {@code [rows, dim]}, row-major: the weight of a feature, then its factors
   * @param fields features per example
   */
  FmExample(float[] values, int dim, int fields) {
    this.values = values;
    this.dim = dim;
    this.starts = new int[fields];
    this.sums = new float[dim];
  }

  /** Reads the rows of an example's features; {@code bias} is the position of the bias. */
  void read(IntUnaryOperator rowOf, int bias) {
    this.bias = bias;
    for (int field = 0; field < starts.length; field++) {
      starts[field] = rowOf.applyAsInt(field) * dim;
    }
    score = values[bias];
    for (int d = 0; d < dim; d++) {
      float sum = 0;
      float squares = 0;
      for (int start : starts) {
        float value = values[start + d];
        sum += value;
        squares += value * value;
      }
      sums[d] = sum;
      score += d == 0 ? sum : (sum * sum - squares) / 2;
    }
  }

  /** Returns the log odds of a click. */
  float score() {
    return score;
  }

  /** Adds the gradient of a loss whose derivative by the score is {@code slope}. */
  void addGradients(float slope, float[] gradients) {
    gradients[bias] += slope;
    for (int start : starts) {
      gradients[start] += slope;
      for (int d = 1; d < dim; d++) {
        gradients[start + d] += slope * (sums[d] - values[start + d]);
      }
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.io.Serializable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

/** Draws numbers from 0 on with probabilities proportional to weights. */
public final class WeightedChoice implements Serializable {
  private final double[] sums;

  private WeightedChoice(double[] sums) {
    this.sums = sums;
  }

  /**
   * @param count numbers are 0 to {@code count - 1}
   * @param weight the weight of a number, not negative
   */
  public static WeightedChoice of(int count, IntToDoubleFunction weight) {
    double[] sums = new double[count];
    double sum = 0;
    for (int i = 0; i < count; i++) {
      sum += weight.applyAsDouble(i);
      sums[i] = sum;
    }
    return new WeightedChoice(sums);
  }

  /** Draws number {@code i} with weight {@code 1 / (i + 1)^exponent}, the Zipf distribution. */
  public static WeightedChoice zipf(int count, double exponent) {
    return of(count, i -> Math.pow(i + 1.0, -exponent));
  }

  /** Draws a number, which depends only on the state of {@code random}. */
  public int draw(SplittableRandom random) {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    // ranges are half-open: an exact hit belongs to the next number
    return Math.min(found < 0 ? -found - 1 : found + 1, sums.length - 1);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.io.Serializable;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.function.IntToDoubleFunction;

/** Chooses a number from 0 on, each as often as its weight says. */
public final class WeightedChoice implements Serializable {
  private final double[] sums;

  private WeightedChoice(double[] sums) {
    this.sums = sums;
  }

  /**
   * @param count numbers are 0 to {@code count - 1}
   * @param weight of a number, not negative
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

  /** Number {@code i} with weight {@code 1 / (i + 1)^exponent}: few are popular, most are not. */
  public static WeightedChoice zipf(int count, double exponent) {
    return of(count, i -> Math.pow(i + 1.0, -exponent));
  }

  /** A number, and the same one for the same state of {@code random}. */
  public int draw(SplittableRandom random) {
    int found = Arrays.binarySearch(sums, random.nextDouble() * sums[sums.length - 1]);
    // a hit is the end of a number's range, which belongs to the next one
    return Math.min(found < 0 ? -found - 1 : found + 1, sums.length - 1);
  }
}

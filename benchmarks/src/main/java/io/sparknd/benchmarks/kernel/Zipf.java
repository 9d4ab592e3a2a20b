/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Draws from {@code n} numbers with the Zipf distribution: rank {@code r} has weight {@code
 * r^-exponent}.
 */
public final class Zipf {
  private final SplittableRandom random;
  private final double[] cumulative;
  private final int[] numberOfRank;

  /**
   * @param exponent with 1.1 and a million numbers, the first rank gets about an eighth of the
   *     draws
   */
  public Zipf(int n, double exponent, long seed) {
    random = new SplittableRandom(seed);
    cumulative = new double[n];
    double sum = 0;
    for (int rank = 0; rank < n; rank++) {
      sum += Math.pow(rank + 1, -exponent);
      cumulative[rank] = sum;
    }
    numberOfRank = shuffled(n);
  }

  /** Assigns ranks to random numbers; otherwise hot slices would be adjacent. */
  private int[] shuffled(int n) {
    int[] numbers = IntStream.range(0, n).toArray();
    for (int i = n - 1; i > 0; i--) {
      int j = random.nextInt(i + 1);
      int kept = numbers[i];
      numbers[i] = numbers[j];
      numbers[j] = kept;
    }
    return numbers;
  }

  /** Draws {@code count} numbers. */
  public int[] draw(int count) {
    int last = cumulative.length - 1;
    int[] drawn = new int[count];
    for (int i = 0; i < count; i++) {
      int place = Arrays.binarySearch(cumulative, random.nextDouble() * cumulative[last]);
      drawn[i] = numberOfRank[Math.min(last, place < 0 ? -place - 1 : place)];
    }
    return drawn;
  }
}

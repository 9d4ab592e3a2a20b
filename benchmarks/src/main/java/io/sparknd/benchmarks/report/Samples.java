/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.report;

import java.util.Arrays;
import java.util.List;

/**
 * The times of one peer, one per round, in the unit of the report. In each round, all peers run one
 * after the other, so that sample {@code i} of each was taken at about the same time.
 *
 * @param values at least one
 */
public record Samples(List<Double> values) {
  public Samples {
    values = List.copyOf(values);
  }

  /** The median. */
  public double median() {
    return quantile(sorted(), 0.5);
  }

  /**
   * The interquartile range of the ratios per round, divided by their median. It shows how reliable
   * one run of the suite is.
   */
  public double spreadOfRatio(Samples other) {
    double[] ratios = new double[Math.min(values.size(), other.values.size())];
    for (int i = 0; i < ratios.length; i++) {
      ratios[i] = values.get(i) / other.values.get(i);
    }
    Arrays.sort(ratios);
    return (quantile(ratios, 0.75) - quantile(ratios, 0.25)) / quantile(ratios, 0.5);
  }

  private double[] sorted() {
    return values.stream().mapToDouble(Double::doubleValue).sorted().toArray();
  }

  private static double quantile(double[] sorted, double share) {
    double place = share * (sorted.length - 1);
    int below = (int) place;
    int above = Math.min(below + 1, sorted.length - 1);
    return sorted[below] + (place - below) * (sorted[above] - sorted[below]);
  }
}

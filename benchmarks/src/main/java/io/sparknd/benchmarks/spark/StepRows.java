/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;

/**
 * The updates of a step of a loop: each adds ones to a row of the table, which begins with ones.
 *
 * @param rows the rows of the table
 * @param ids the updated rows, some of them twice
 */
record StepRows(int rows, long[] ids) {

  /** Draws {@code count} ids. */
  static StepRows of(int rows, int count) {
    return new StepRows(rows, new SplittableRandom(3).longs(count, 0, rows).toArray());
  }

  /** The sum of all elements of the updates. */
  double sum() {
    return (double) ids.length * Size.WIDTH;
  }

  /** The sum of the updates of each updated row. */
  Map<Long, float[]> totals() {
    Map<Long, float[]> totals = new HashMap<>();
    for (long id : ids) {
      float[] total = totals.computeIfAbsent(id, key -> new float[Size.WIDTH]);
      for (int i = 0; i < total.length; i++) {
        total[i]++;
      }
    }
    return totals;
  }

  static float[] ones() {
    float[] ones = new float[Size.WIDTH];
    Arrays.fill(ones, 1);
    return ones;
  }

  /** Returns {@code row + update} as a new array. */
  static float[] added(float[] row, float[] update) {
    float[] sum = row.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += update[i];
    }
    return sum;
  }

  static double sumOf(float[] row) {
    double sum = 0;
    for (float element : row) {
      sum += element;
    }
    return sum;
  }
}

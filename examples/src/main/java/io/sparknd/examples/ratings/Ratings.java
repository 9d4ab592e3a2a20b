/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * Ratings that are learnt of together.
 *
 * @param users one a rating
 * @param items one a rating
 * @param values one a rating
 */
public record Ratings(int[] users, int[] items, float[] values) implements Serializable {
  /** How many there are. */
  public int count() {
    return values.length;
  }

  /** The values. */
  public double[] asDoubles() {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
  }
}

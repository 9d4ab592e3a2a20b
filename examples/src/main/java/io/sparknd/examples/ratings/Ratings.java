/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * A batch of ratings.
 *
 * @param users the user of each rating
 * @param items the item of each rating
 * @param values the value of each rating
 */
public record Ratings(int[] users, int[] items, float[] values) implements Serializable {
  /** The number of ratings. */
  public int count() {
    return values.length;
  }

  /** Returns the values as doubles. */
  public double[] asDoubles() {
    return IntStream.range(0, values.length).mapToDouble(i -> values[i]).toArray();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import io.sparknd.examples.support.SeededDraws;
import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.stream.IntStream;

/**
 * Generated ratings with a known model: the inner product of a user's and an item's factors, which
 * has variance 1, plus noise. The noise bounds the accuracy of predictions.
 */
public final class PlantedRatings implements Serializable {
  private static final double POPULARITY = 1.5;

  private final int users;
  private final int items;
  private final double noise;
  private final long seed;
  private final float[][] factors;

  /**
   * @param rank factors per user and item
   * @param noise the standard deviation of the noise
   */
  public PlantedRatings(int users, int items, int rank, double noise, long seed) {
    this.users = users;
    this.items = items;
    this.noise = noise;
    this.seed = seed;
    // gives the inner product of two rows variance 1
    double deviation = Math.pow(rank, -0.25);
    this.factors =
        IntStream.range(0, users + items)
            .mapToObj(row -> normal(SeededDraws.of(seed, 0, row), rank, deviation))
            .toArray(float[][]::new);
  }

  private static float[] normal(SplittableRandom random, int count, double deviation) {
    float[] values = new float[count];
    for (int i = 0; i < count; i++) {
      values[i] = (float) (random.nextGaussian() * deviation);
    }
    return values;
  }

  /** The number of users. */
  public int users() {
    return users;
  }

  /** The rows of the table: users, then items. */
  public int rows() {
    return users + items;
  }

  /** The number of items. */
  public int items() {
    return items;
  }

  /** The standard deviation of the noise, the lowest possible RMSE. */
  public double noise() {
    return noise;
  }

  /** Generates ratings from number {@code first} on. */
  public Ratings ratings(long first, int count) {
    Ratings ratings = new Ratings(new int[count], new int[count], new float[count]);
    for (int i = 0; i < count; i++) {
      SplittableRandom random = SeededDraws.of(seed, 1, first + i);
      int user = random.nextInt(users);
      // the first items are somewhat more popular
      int item = (int) (Math.pow(random.nextDouble(), POPULARITY) * items);
      ratings.users()[i] = user;
      ratings.items()[i] = item;
      ratings.values()[i] = (float) (inner(user, item) + random.nextGaussian() * noise);
    }
    return ratings;
  }

  private double inner(int user, int item) {
    double sum = 0;
    for (int k = 0; k < factors[user].length; k++) {
      sum += (double) factors[user][k] * factors[users + item][k];
    }
    return sum;
  }
}

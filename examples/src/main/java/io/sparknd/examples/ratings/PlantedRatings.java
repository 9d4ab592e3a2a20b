/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import io.sparknd.examples.support.SeededDraws;
import java.io.Serializable;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Encoders;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.RowFactory;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * Generated ratings with a known model, that of {@link MatrixFactors}: a mean, biases of half the
 * variance, the inner product of a user's and an item's factors, and noise. The noise bounds the
 * accuracy of predictions.
 */
public final class PlantedRatings implements Serializable {
  private static final StructType TYPE =
      StructType.fromDDL("user INT NOT NULL, item INT NOT NULL, rating FLOAT NOT NULL");

  private static final double POPULARITY = 1.5;
  private static final double MEAN = 3.5;
  private static final double BIAS = 0.5;
  private static final double PRODUCT = 0.7;

  private final int users;
  private final int items;
  private final double noise;
  private final long seed;
  private final float[][] rows;

  /**
   * @param rank factors per user and item
   * @param noise the standard deviation of the noise
   */
  public PlantedRatings(int users, int items, int rank, double noise, long seed) {
    this.users = users;
    this.items = items;
    this.noise = noise;
    this.seed = seed;
    this.rows =
        IntStream.range(0, users + items)
            .mapToObj(row -> row(SeededDraws.of(seed, 0, row), rank))
            .toArray(float[][]::new);
  }

  private static float[] row(SplittableRandom random, int rank) {
    // gives the inner product of two rows the standard deviation PRODUCT
    double deviation = Math.sqrt(PRODUCT) * Math.pow(rank, -0.25);
    float[] row = new float[1 + rank];
    for (int i = 0; i < row.length; i++) {
      row[i] = (float) (random.nextGaussian() * (i == 0 ? BIAS : deviation));
    }
    return row;
  }

  /** Generates {@code count} ratings: {@code user}, {@code item} and {@code rating}. */
  public Dataset<Row> ratings(SparkSession spark, long count) {
    Broadcast<PlantedRatings> shared =
        JavaSparkContext.fromSparkContext(spark.sparkContext()).broadcast(this);
    return spark.createDataFrame(
        spark.range(count).as(Encoders.LONG()).javaRDD().map(i -> shared.value().rating(i)), TYPE);
  }

  /** Generates rating {@code number}. */
  Row rating(long number) {
    SplittableRandom random = SeededDraws.of(seed, 1, number);
    int user = random.nextInt(users);
    // the first items are somewhat more popular
    int item = (int) (Math.pow(random.nextDouble(), POPULARITY) * items);
    float rating = (float) (expected(user, item) + random.nextGaussian() * noise);
    return RowFactory.create(user, item, rating);
  }

  private double expected(int user, int item) {
    float[] u = rows[user];
    float[] v = rows[users + item];
    double sum = MEAN + u[0] + v[0];
    for (int k = 1; k < u.length; k++) {
      sum += (double) u[k] * v[k];
    }
    return sum;
  }
}

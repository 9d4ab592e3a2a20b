/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import java.util.OptionalDouble;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/**
 * Ratings to learn, and the settings that suit them: for both models, the regularization with the
 * smallest error among 0.01 to 0.15.
 *
 * @param ratings columns user, item and rating
 * @param rate the learning rate of Adagrad
 * @param decay the L2 regularization of a row per rating in {@link MatrixFactors}
 * @param alsDecay the same in MLlib's ALS
 * @param epochs passes over the training ratings, if the user gives no other number
 * @param noise the lowest possible RMSE, if it is known
 */
public record RatingTask(
    Dataset<Row> ratings,
    double rate,
    float decay,
    double alsDecay,
    int epochs,
    OptionalDouble noise) {
  private static final double NOISE = 0.5;
  private static final long SEED = 1;

  /** Generates ratings. */
  public static RatingTask planted(SparkSession spark, int users, int items, int count) {
    PlantedRatings planted = new PlantedRatings(users, items, RatingExperiment.RANK, NOISE, SEED);
    return new RatingTask(
        planted.ratings(spark, count), 0.4, 0.02f, 0.03, 12, OptionalDouble.of(NOISE));
  }

  /** Reads a file of MovieLens; see {@link MovieLensFile#read}. */
  public static RatingTask movieLens(SparkSession spark, String path) {
    return new RatingTask(
        MovieLensFile.read(spark, path), 0.2, 0.1f, 0.12, 6, OptionalDouble.empty());
  }
}

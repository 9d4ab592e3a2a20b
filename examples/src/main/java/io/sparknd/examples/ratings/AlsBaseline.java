/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import org.apache.spark.ml.recommendation.ALS;
import org.apache.spark.ml.recommendation.ALSModel;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Spark MLlib's alternating least squares.
 *
 * @param rank factors per user and item
 * @param decay the regularization of a row per rating, as in {@link MatrixFactors}
 * @param rounds iterations, each of which solves for both sides in turn
 */
public record AlsBaseline(int rank, double decay, int rounds) {

  /** Trains the model. */
  public ALSModel train(Dataset<Row> ratings) {
    return new ALS()
        .setUserCol("user")
        .setItemCol("item")
        .setRatingCol("rating")
        .setRank(rank)
        .setRegParam(decay)
        .setMaxIter(rounds)
        .setNumBlocks(ratings.sparkSession().sparkContext().defaultParallelism())
        .setSeed(1)
        .fit(ratings);
  }

  /**
   * Returns the predictions as {@code label} and {@code score}; {@code mean} if a user or an item
   * has no training rating.
   */
  public static Dataset<Row> predictions(ALSModel model, Dataset<Row> ratings, double mean) {
    return model
        .transform(ratings)
        .selectExpr("rating AS label", "nanvl(prediction, " + mean + ") AS score");
  }
}

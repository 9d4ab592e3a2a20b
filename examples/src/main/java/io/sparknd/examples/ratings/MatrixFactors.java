/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import static org.apache.spark.sql.functions.expr;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.EmbeddingTable;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.lookup.Lookup;
import io.sparknd.embedding.lookup.LookupColumns;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Matrix factorisation with biases (Koren, Bell, Volinsky, Matrix Factorization Techniques for
 * Recommender Systems, 2009): a rating is the mean of all, plus a bias of the user and one of the
 * item, plus the inner product of their factors. A row is {@code [bias, factors]}; its key is that
 * of the column {@code user} or {@code item} and the id.
 *
 * @param mean the mean of the training ratings
 * @param decay the L2 regularization of a row per rating; it keeps rare rows from fitting the noise
 */
public record MatrixFactors(float mean, float decay) implements StepFunction<FeatureBatch> {

  /** Returns the user and the item of each rating. */
  @Override
  public long[] ids(FeatureBatch batch) {
    return batch.ids();
  }

  /** Computes half the squared error plus half the squares weighted by {@code decay}. */
  @Override
  public Loss step(FeatureBatch batch, EmbeddingRows rows) {
    double loss = 0;
    for (int i = 0; i < batch.rows(); i++) {
      int user = rows.slot(batch.position(i, 0)) * rows.dim();
      int item = rows.slot(batch.position(i, 1)) * rows.dim();
      loss += learn(rows, user, item, batch.labels()[i]);
    }
    return new Loss(loss, batch.rows());
  }

  private double learn(EmbeddingRows rows, int user, int item, float rating) {
    float[] values = rows.values();
    float[] gradients = rows.gradients();
    float error = mean + values[user] + values[item] - rating;
    for (int d = 1; d < rows.dim(); d++) {
      error += values[user + d] * values[item + d];
    }
    gradients[user] += error + decay * values[user];
    gradients[item] += error + decay * values[item];
    float squares = values[user] * values[user] + values[item] * values[item];
    for (int d = 1; d < rows.dim(); d++) {
      float u = values[user + d];
      float v = values[item + d];
      gradients[user + d] += error * v + decay * u;
      gradients[item + d] += error * u + decay * v;
      squares += u * u + v * v;
    }
    return (error * (double) error + decay * (double) squares) / 2;
  }

  /**
   * Predicts ratings in the cluster. An unknown user or item has the row that training it would
   * begin with, close to 0.
   *
   * @param ratings columns user, item and rating
   * @return {@code label}, the rating, and {@code score}, the prediction
   */
  public Dataset<Row> predictions(EmbeddingTable table, Dataset<Row> ratings) {
    Dataset<Row> keyed =
        ratings
            .withColumn("user_key", expr("xxhash64('user', bigint(user))"))
            .withColumn("item_key", expr("xxhash64('item', bigint(item))"));
    Dataset<Row> users = table.lookup(Lookup.sum(), keyed, LookupColumns.of("user_key").into("u"));
    Dataset<Row> both = table.lookup(Lookup.sum(), users, LookupColumns.of("item_key").into("v"));
    return both.selectExpr(
        "rating AS label",
        "aggregate(zip_with(slice(u, 2, size(u)), slice(v, 2, size(v)), (a, b) -> a * b), "
            + mean
            + " + double(u[0]) + v[0], (sum, product) -> sum + product) AS score");
  }
}

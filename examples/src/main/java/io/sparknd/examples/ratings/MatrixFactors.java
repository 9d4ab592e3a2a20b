/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.ratings;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.examples.support.TrainedRows;

/**
 * Matrix factorisation: the inner product of a user's and an item's row is trained to be the
 * rating. Both are in one table {@code [users + items, dim]}: row {@code u} is user {@code u}, row
 * {@code users + i} is item {@code i}.
 *
 * @param decay the L2 regularization of a row per rating; it keeps rare rows from fitting the noise
 */
public record MatrixFactors(int users, float decay) implements StepFunction<Ratings> {

  @Override
  public long[] ids(Ratings batch) {
    long[] ids = new long[2 * batch.count()];
    for (int i = 0; i < batch.count(); i++) {
      ids[2 * i] = batch.users()[i];
      ids[2 * i + 1] = (long) users + batch.items()[i];
    }
    return ids;
  }

  /** Computes half the squared error plus half the squares weighted by {@code decay}. */
  @Override
  public Loss step(Ratings batch, EmbeddingRows rows) {
    double loss = 0;
    for (int i = 0; i < batch.count(); i++) {
      int user = rows.slot(2 * i) * rows.dim();
      int item = rows.slot(2 * i + 1) * rows.dim();
      loss += learn(rows, user, item, batch.values()[i]);
    }
    return new Loss(loss, batch.count());
  }

  private double learn(EmbeddingRows rows, int user, int item, float rating) {
    float[] values = rows.values();
    float[] gradients = rows.gradients();
    float error = -rating;
    double squares = 0;
    for (int d = 0; d < rows.dim(); d++) {
      float u = values[user + d];
      float v = values[item + d];
      error += u * v;
      squares += (double) u * u + (double) v * v;
    }
    for (int d = 0; d < rows.dim(); d++) {
      float u = values[user + d];
      gradients[user + d] += error * values[item + d] + decay * u;
      gradients[item + d] += error * u + decay * values[item + d];
    }
    return (error * (double) error + decay * squares) / 2;
  }

  /** Returns the ratings predicted by trained rows. */
  public double[] predictions(TrainedRows rows, Ratings of) {
    double[] predicted = new double[of.count()];
    for (int i = 0; i < predicted.length; i++) {
      predicted[i] = rows.dot(of.users()[i], users + of.items()[i]);
    }
    return predicted;
  }
}

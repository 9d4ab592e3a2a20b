/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import java.util.Arrays;

/**
 * A factorization machine without a bias. The first element of a row is the feature's weight, the
 * others are its factors.
 */
record FmModel() implements StepFunction<FmBatch> {
  @Override
  public long[] ids(FmBatch batch) {
    long[] ids = new long[batch.features().length];
    for (int i = 0; i < ids.length; i++) {
      ids[i] = batch.features()[i];
    }
    return ids;
  }

  @Override
  public Loss step(FmBatch batch, EmbeddingRows rows) {
    float[] sums = new float[rows.dim()];
    double loss = 0;
    for (int i = 0; i < batch.labels().length; i++) {
      float score = score(rows, i, sums);
      float label = batch.labels()[i];
      double decay = Math.exp(-Math.abs(score));
      double probability = score >= 0 ? 1 / (1 + decay) : decay / (1 + decay);
      learn(rows, i, sums, (float) (probability - label));
      loss += Math.max(score, 0) - label * score + Math.log1p(decay);
    }
    return new Loss(loss, batch.labels().length);
  }

  /** Returns the score of example {@code i}, and sums its rows. */
  private static float score(EmbeddingRows rows, int i, float[] sums) {
    float[] values = rows.values();
    int dim = rows.dim();
    Arrays.fill(sums, 0);
    float squares = 0;
    for (int field = 0; field < FmData.FIELDS; field++) {
      int at = rows.slot(i * FmData.FIELDS + field) * dim;
      sums[0] += values[at];
      for (int d = 1; d < dim; d++) {
        float value = values[at + d];
        sums[d] += value;
        squares += value * value;
      }
    }
    float pairs = -squares;
    for (int d = 1; d < dim; d++) {
      pairs += sums[d] * sums[d];
    }
    return sums[0] + pairs / 2;
  }

  /** Adds the gradients of example {@code i}; {@code slope} is that of the loss by the score. */
  private static void learn(EmbeddingRows rows, int i, float[] sums, float slope) {
    float[] values = rows.values();
    float[] gradients = rows.gradients();
    int dim = rows.dim();
    for (int field = 0; field < FmData.FIELDS; field++) {
      int at = rows.slot(i * FmData.FIELDS + field) * dim;
      gradients[at] += slope;
      for (int d = 1; d < dim; d++) {
        gradients[at + d] += slope * (sums[d] - values[at + d]);
      }
    }
  }
}

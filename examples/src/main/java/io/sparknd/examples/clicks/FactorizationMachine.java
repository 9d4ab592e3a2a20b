/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.examples.support.Logistic;
import java.util.Arrays;

/**
 * A second-order factorisation machine: the log odds of a click are a bias, plus a weight per
 * feature, plus the inner product of the factors of each pair of features. A row is {@code [weight,
 * factors]}; its key is that of the feature. All examples have the same number of features.
 *
 * @param bias the key of the row whose first element is the bias
 */
public record FactorizationMachine(long bias) implements StepFunction<FeatureBatch> {

  /** Returns the features of each example, then the row of the bias. */
  @Override
  public long[] ids(FeatureBatch batch) {
    long[] ids = Arrays.copyOf(batch.ids(), batch.ids().length + 1);
    ids[batch.ids().length] = bias;
    return ids;
  }

  @Override
  public Loss step(FeatureBatch batch, EmbeddingRows rows) {
    int features = batch.ids().length;
    int fields = features / Math.max(1, batch.rows());
    FmExample example = new FmExample(rows.values(), rows.dim(), fields);
    int bias = rows.slot(features) * rows.dim();
    double loss = 0;
    for (int i = 0; i < batch.rows(); i++) {
      int first = i * fields;
      example.read(field -> rows.slot(first + field), bias);
      int label = (int) batch.labels()[i];
      float slope = (float) (Logistic.probability(example.score()) - label);
      example.addGradients(slope, rows.gradients());
      loss += Logistic.loss(example.score(), label);
    }
    return new Loss(loss, batch.rows());
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.examples.support.Logistic;
import java.util.Arrays;

/**
 * A second-order factorisation machine: the log odds of a click are a bias, plus a weight per
 * feature, plus the inner product of the factors of each pair of features. A row is {@code [weight,
 * factors]}; its key is that of the feature.
 *
 * @param bias the key of the row whose first element is the bias
 */
public record FactorizationMachine(long bias) implements StepFunction<Clicks> {

  /** Returns the features of each example, then the row of the bias. */
  @Override
  public long[] ids(Clicks batch) {
    long[] ids = Arrays.copyOf(batch.features(), batch.features().length + 1);
    ids[batch.features().length] = bias;
    return ids;
  }

  @Override
  public Loss step(Clicks batch, EmbeddingRows rows) {
    FmExample example = new FmExample(rows.values(), rows.dim(), batch.fields());
    int bias = rows.slot(batch.features().length) * rows.dim();
    double loss = 0;
    for (int i = 0; i < batch.count(); i++) {
      int first = i * batch.fields();
      example.read(field -> rows.slot(first + field), bias);
      int label = batch.clicked()[i] ? 1 : 0;
      float slope = (float) (Logistic.probability(example.score()) - label);
      example.addGradients(slope, rows.gradients());
      loss += Logistic.loss(example.score(), label);
    }
    return new Loss(loss, batch.count());
  }
}

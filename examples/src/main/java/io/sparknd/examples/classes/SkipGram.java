/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.examples.support.Logistic;

/**
 * Skip-gram with negative sampling: a node's vector and another's context vector should have a
 * large inner product where the two were met near each other, and a small one where the other was
 * drawn at random. One table {@code [2 * nodes, dim]} has both: the vector of node {@code i} is row
 * {@code i}, its context vector row {@code nodes + i}.
 *
 * @param nodes of the graph
 */
public record SkipGram(int nodes) implements StepFunction<Pairs> {

  @Override
  public long[] ids(Pairs batch) {
    int pairs = batch.count();
    long[] ids = new long[2 * pairs + batch.noise().length];
    for (int i = 0; i < pairs; i++) {
      ids[i] = batch.centres()[i];
      ids[pairs + i] = (long) nodes + batch.contexts()[i];
    }
    for (int i = 0; i < batch.noise().length; i++) {
      ids[2 * pairs + i] = (long) nodes + batch.noise()[i];
    }
    return ids;
  }

  @Override
  public Loss step(Pairs batch, EmbeddingRows rows) {
    int pairs = batch.count();
    int noise = batch.noisePerPair();
    double loss = 0;
    for (int i = 0; i < pairs; i++) {
      int centre = rows.slot(i);
      int context = rows.slot(pairs + i);
      loss += learn(rows, centre, context, 1);
      for (int n = i * noise; n < (i + 1) * noise; n++) {
        int drawn = rows.slot(2 * pairs + n);
        if (drawn != context) {
          loss += learn(rows, centre, drawn, 0);
        }
      }
    }
    return new Loss(loss, pairs);
  }

  /** Logistic loss of an inner product, and its gradient in both rows. */
  private static double learn(EmbeddingRows rows, int centre, int context, int label) {
    float[] values = rows.values();
    float[] gradients = rows.gradients();
    int a = centre * rows.dim();
    int b = context * rows.dim();
    float score = 0;
    for (int d = 0; d < rows.dim(); d++) {
      score += values[a + d] * values[b + d];
    }
    float slope = (float) (Logistic.probability(score) - label);
    for (int d = 0; d < rows.dim(); d++) {
      gradients[a + d] += slope * values[b + d];
      gradients[b + d] += slope * values[a + d];
    }
    return Logistic.loss(score, label);
  }
}

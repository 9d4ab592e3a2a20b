/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import io.sparknd.examples.support.Logistic;

/**
 * Skip-gram with negative sampling. The inner product of a node's vector and another node's context
 * vector is trained to be large for nodes near each other on a walk, and small for random nodes.
 * Both are in one table {@code [2 * nodes, dim]}: row {@code i} is the vector of node {@code i},
 * row {@code nodes + i} its context vector.
 *
 * @param nodes the number of nodes of the graph
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

  /** Returns the logistic loss of an inner product and adds its gradient to both rows. */
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

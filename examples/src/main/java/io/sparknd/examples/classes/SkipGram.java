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
    long[] ids = new long[2 * pairs + batch.pool().length];
    for (int i = 0; i < pairs; i++) {
      ids[i] = batch.centres()[i];
      ids[pairs + i] = (long) nodes + batch.contexts()[i];
    }
    for (int i = 0; i < batch.pool().length; i++) {
      ids[2 * pairs + i] = (long) nodes + batch.pool()[i];
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
        int drawn = rows.slot(2 * pairs + batch.noise()[n]);
        if (drawn != context) {
          loss += learn(rows, centre, drawn, 0);
        }
      }
    }
    return new Loss(loss, pairs);
  }

  /** Returns the logistic loss of an inner product and adds its gradient to both rows. */
  private static double learn(EmbeddingRows rows, int centre, int context, int label) {
    int dim = rows.dim();
    float[] values = rows.values();
    float[] gradients = rows.gradients();
    float score = dot(values, centre * dim, context * dim, dim);
    double probability = Logistic.probability(score);
    float slope = (float) (probability - label);
    add(slope, values, context * dim, gradients, centre * dim, dim);
    add(slope, values, centre * dim, gradients, context * dim, dim);
    return Logistic.loss(score, label);
  }

  /** Sums in four parts, which the CPU adds at the same time. */
  private static float dot(float[] values, int a, int b, int dim) {
    float first = 0;
    float second = 0;
    float third = 0;
    float fourth = 0;
    int d = 0;
    for (; d + 3 < dim; d += 4) {
      first += values[a + d] * values[b + d];
      second += values[a + d + 1] * values[b + d + 1];
      third += values[a + d + 2] * values[b + d + 2];
      fourth += values[a + d + 3] * values[b + d + 3];
    }
    for (; d < dim; d++) {
      first += values[a + d] * values[b + d];
    }
    return (first + second) + (third + fourth);
  }

  /** One loop for each array of gradients is compiled to vector instructions. */
  private static void add(float factor, float[] from, int source, float[] to, int at, int dim) {
    for (int d = 0; d < dim; d++) {
      to[at + d] += factor * from[source + d];
    }
  }
}

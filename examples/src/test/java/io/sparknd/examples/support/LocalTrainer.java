/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import io.sparknd.embedding.Batches;
import io.sparknd.embedding.EmbeddingRows;
import io.sparknd.embedding.Loss;
import io.sparknd.embedding.StepFunction;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Trains a step function with Adagrad on one array, with one shard and one thread, without the
 * engine.
 */
public final class LocalTrainer {
  private final int dim;
  private final float[] values;
  private final float[] squares;
  private final double rate;

  /** Initializes all elements uniformly in [-0.05, 0.05). */
  public LocalTrainer(int rows, int dim, double rate) {
    this.dim = dim;
    this.rate = rate;
    this.values = new float[rows * dim];
    this.squares = new float[rows * dim];
    var random = SeededDraws.of(17);
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) (random.nextDouble() * 0.1 - 0.05);
    }
    Arrays.fill(squares, 0.1f);
  }

  /**
   * Trains on the batches of one shard.
   *
   * @return the loss of each step
   */
  public <B> List<Double> train(StepFunction<B> function, Batches.Generator<B> batches, int steps) {
    List<Double> losses = new ArrayList<>();
    for (int step = 0; step < steps; step++) {
      losses.add(step(function, batches.batch(step, 0)).mean());
    }
    return losses;
  }

  private <B> Loss step(StepFunction<B> function, B batch) {
    EmbeddingRows rows = EmbeddingRows.of(function.ids(batch), dim, this::row);
    Loss loss = function.step(batch, rows);
    for (int slot = 0; slot < rows.count(); slot++) {
      apply((int) rows.id(slot) * dim, rows.gradients(), slot * dim);
    }
    return loss;
  }

  private float[] row(long id) {
    return Arrays.copyOfRange(values, (int) id * dim, ((int) id + 1) * dim);
  }

  private void apply(int row, float[] gradients, int at) {
    for (int d = 0; d < dim; d++) {
      float gradient = gradients[at + d];
      squares[row + d] += gradient * gradient;
      values[row + d] -= (float) (rate * gradient / Math.sqrt(squares[row + d]));
    }
  }

  /** Returns a copy of the current rows. */
  public TrainedRows rows() {
    return new TrainedRows(values.clone(), dim);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

/**
 * For the engine: applies one mini-batch to each row that it touches, with the learning rate of the
 * step. Not thread-safe: it has a buffer for one row's gradient.
 */
public final class RowUpdate {
  private final float l2;
  private final Clip clip;
  private final boolean asGiven;
  private final float[] prepared;
  private final Rule rule;

  /** An optimizer's rule, called once per row; it loops over the elements. */
  interface Rule {
    void apply(float[] weights, int at, float[][] state, int row, float[] gradient, int from);
  }

  RowUpdate(float l2, Clip clip, int dim, Rule rule) {
    this.l2 = l2;
    this.clip = clip;
    this.asGiven = l2 == 0 && clip instanceof Clip.None;
    this.prepared = new float[dim];
    this.rule = rule;
  }

  /**
   * Updates a row and its state in place.
   *
   * @param weights contains the row, from element {@code at}
   * @param state one array per {@link OptimizerSlot}. The row's values begin at {@code row * dim}
   *     if the slot has one per element; otherwise its value is element {@code row}
   * @param gradient contains the sum of the row's gradients, from element {@code from}; not
   *     modified
   */
  public void apply(float[] weights, int at, float[][] state, int row, float[] gradient, int from) {
    if (asGiven) {
      rule.apply(weights, at, state, row, gradient, from);
    } else {
      prepare(weights, at, gradient, from);
      rule.apply(weights, at, state, row, prepared, 0);
    }
  }

  private void prepare(float[] weights, int at, float[] gradient, int from) {
    System.arraycopy(gradient, from, prepared, 0, prepared.length);
    if (l2 != 0) {
      for (int i = 0; i < prepared.length; i++) {
        prepared[i] += l2 * weights[at + i];
      }
    }
    clip.apply(prepared);
  }
}

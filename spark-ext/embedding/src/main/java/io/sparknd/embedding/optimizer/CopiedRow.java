/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.optimizer.OptimizerSlot.Width;
import java.util.List;

/** Applies a {@link RowRule} to copies, so that it can neither see nor change other rows. */
final class CopiedRow implements RowUpdate.Rule {
  private final String name;
  private final RowRule rule;
  private final float[] weights;
  private final float[] gradient;
  private final float[][] state;
  private final float[][] given;

  CopiedRow(String name, RowRule rule, List<OptimizerSlot> slots, int dim) {
    this.name = name;
    this.rule = rule;
    this.weights = new float[dim];
    this.gradient = new float[dim];
    this.state = new float[slots.size()][];
    for (int i = 0; i < state.length; i++) {
      state[i] = new float[slots.get(i).width() == Width.ROW ? 1 : dim];
    }
    this.given = new float[slots.size()][];
  }

  @Override
  public void apply(float[] all, int at, float[][] slots, int row, float[] gradients, int from) {
    System.arraycopy(all, at, weights, 0, weights.length);
    System.arraycopy(gradients, from, gradient, 0, gradient.length);
    for (int i = 0; i < state.length; i++) {
      System.arraycopy(slots[i], row * state[i].length, state[i], 0, state[i].length);
      given[i] = state[i];
    }
    rule.apply(weights, given, gradient);
    System.arraycopy(weights, 0, all, at, weights.length);
    for (int i = 0; i < state.length; i++) {
      checkNotReplaced(i);
      System.arraycopy(state[i], 0, slots[i], row * state[i].length, state[i].length);
    }
  }

  @SuppressWarnings("ArrayEquals") // the same array, not equal values
  private void checkNotReplaced(int slot) {
    if (given[slot] != state[slot]) {
      throw EmbeddingErrors.stateReplaced(name, slot);
    }
  }
}

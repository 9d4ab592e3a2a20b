/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.testkit;

import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.embedding.optimizer.Initializer;
import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.embedding.optimizer.OptimizerSlot.Width;
import io.sparknd.embedding.optimizer.RowUpdate;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;

/**
 * A matrix of weights with the state of all its rows, in plain arrays.
 *
 * @param weights {@code [rows, dim]}
 * @param state an array per slot, {@code [rows, dim]} or {@code [rows]}
 */
record DenseRows(int dim, float[] weights, List<OptimizerSlot> slots, float[][] state) {
  static DenseRows of(int rows, int dim, Initializer initializer, List<OptimizerSlot> slots) {
    float[] weights = new float[rows * dim];
    for (int row = 0; row < rows; row++) {
      initializer.fill(row, weights, row * dim, dim);
    }
    float[][] state = new float[slots.size()][];
    for (int i = 0; i < state.length; i++) {
      state[i] = new float[slots.get(i).width() == Width.ROW ? rows : rows * dim];
      Arrays.fill(state[i], slots.get(i).initial());
    }
    return new DenseRows(dim, weights, slots, state);
  }

  void apply(RowUpdate update, int row, float[] gradient) {
    update.apply(weights, row * dim, state, row, gradient, 0);
  }

  /** Returns the first difference of weights or state; the arguments name the two sides. */
  Optional<String> difference(String name, DenseRows other, String otherName) {
    Optional<String> found = weightDifference(name, other.weights, otherName);
    for (int i = 0; i < state.length && found.isEmpty(); i++) {
      int width = slots.get(i).width() == Width.ROW ? 1 : dim;
      found =
          difference(
              "slot " + slots.get(i).name(), width, name, state[i], otherName, other.state[i]);
    }
    return found;
  }

  Optional<String> weightDifference(String name, float[] other, String otherName) {
    return difference("weight", dim, name, weights, otherName, other);
  }

  private static Optional<String> difference(
      String what, int width, String name, float[] one, String otherName, float[] other) {
    for (int i = 0; i < one.length; i++) {
      if (Float.floatToIntBits(one[i]) != Float.floatToIntBits(other[i])) {
        String at = what + " [" + i / width + ", " + i % width + "] is ";
        return Optional.of(at + one[i] + " " + name + " and " + other[i] + " " + otherName);
      }
    }
    return Optional.empty();
  }

  /** Returns the first number that is NaN or infinite. */
  Optional<String> notFinite() {
    for (int i = 0; i < state.length; i++) {
      if (!BadGradients.isFinite(state[i], 0, state[i].length)) {
        return Optional.of("slot " + slots.get(i).name() + " is " + Arrays.toString(state[i]));
      }
    }
    return BadGradients.isFinite(weights, 0, weights.length)
        ? Optional.empty()
        : Optional.of("weights are " + Arrays.toString(weights));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import io.sparknd.embedding.optimizer.OptimizerSlot.Width;
import java.util.List;

/** Rows and their optimizer state, in the layout of an engine. */
record Table(int dim, float[] weights, List<OptimizerSlot> slots, float[][] state) {
  static Table of(Optimizer optimizer, float[] weights, int dim) {
    List<OptimizerSlot> slots = optimizer.slots();
    float[][] state = new float[slots.size()][];
    for (int k = 0; k < state.length; k++) {
      int numbers = slots.get(k).width() == Width.ROW ? weights.length / dim : weights.length;
      state[k] = Array.full(numbers, slots.get(k).initial()).values();
    }
    return new Table(dim, weights.clone(), slots, state);
  }

  /** Returns the weights of a row, then its values in each slot. */
  Array[] row(int row) {
    Array[] arrays = new Array[slots.size() + 1];
    arrays[0] = slice(weights, row, dim);
    for (int k = 0; k < slots.size(); k++) {
      arrays[k + 1] = slice(state[k], row, slots.get(k).width() == Width.ROW ? 1 : dim);
    }
    return arrays;
  }

  private static Array slice(float[] all, int row, int width) {
    float[] values = new float[width];
    System.arraycopy(all, row * width, values, 0, width);
    return new Array(values);
  }
}

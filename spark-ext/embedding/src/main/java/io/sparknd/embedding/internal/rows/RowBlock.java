/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.optimizer.OptimizerSlot;
import io.sparknd.tensor.Storage;
import java.util.Arrays;

/**
 * A block of rows, the unit of copy-on-write.
 *
 * @param weights {@code [perBlock, dim]}, row-major
 * @param state one array per optimizer slot, {@code [perBlock, dim]} or {@code [perBlock]}
 */
record RowBlock(Object weights, float[][] state) {

  /** Returns a block with zero weights and the initial optimizer state. */
  static RowBlock blank(RowLayout layout) {
    float[][] state = new float[layout.slots().size()][];
    for (int i = 0; i < state.length; i++) {
      OptimizerSlot slot = layout.slots().get(i);
      int width = slot.width() == OptimizerSlot.Width.ROW ? 1 : layout.dim();
      state[i] = new float[layout.perBlock() * width];
      Arrays.fill(state[i], slot.initial());
    }
    return new RowBlock(layout.storage().allocate(layout.perBlock() * layout.dim()), state);
  }

  RowBlock copy(Storage storage) {
    float[][] copied = new float[state.length][];
    for (int i = 0; i < state.length; i++) {
      copied[i] = state[i].clone();
    }
    return new RowBlock(storage.copyOfRange(weights, 0, storage.length(weights)), copied);
  }

  /** Overwrites row {@code to} with row {@code from} of another block, including its state. */
  void copyRow(RowBlock other, int from, int to, RowLayout layout) {
    int dim = layout.dim();
    System.arraycopy(other.weights, from * dim, weights, to * dim, dim);
    for (int i = 0; i < state.length; i++) {
      int width = state[i].length / layout.perBlock();
      System.arraycopy(other.state[i], from * width, state[i], to * width, width);
    }
  }

  /** Returns the approximate bytes on the heap. */
  long bytes(Storage storage) {
    long bytes = 64 + (long) storage.length(weights) * storage.bytes();
    for (float[] slot : state) {
      bytes += 24 + 4L * slot.length;
    }
    return bytes;
  }
}

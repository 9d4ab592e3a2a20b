/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Storage;
import java.util.Arrays;

/**
 * A block of rows, the unit of copy-on-write.
 *
 * @param weights {@code [perBlock, dim]}, row-major
 * @param state one array per optimizer slot, {@code [perBlock, dim]} or {@code [perBlock]}: floats,
 *     or shorts with the bits of bfloat16. A {@code float[][]} if all slots are float32
 */
record RowBlock(Object weights, Object[] state) {

  /** Returns a block with zero weights and the initial optimizer state. */
  static RowBlock blank(RowLayout layout) {
    int slots = layout.slots().size();
    Object[] state = layout.hasNarrowState() ? new Object[slots] : new float[slots][];
    for (int i = 0; i < slots; i++) {
      int length = layout.perBlock() * layout.width(i);
      float initial = layout.slots().get(i).initial();
      state[i] = layout.isNarrow(i) ? narrow(length, initial) : full(length, initial);
    }
    return new RowBlock(layout.storage().allocate(layout.perBlock() * layout.dim()), state);
  }

  private static float[] full(int length, float initial) {
    float[] values = new float[length];
    Arrays.fill(values, initial);
    return values;
  }

  private static short[] narrow(int length, float initial) {
    short[] halves = new short[length];
    Arrays.fill(halves, HalfFloats.toBfloat16(initial));
    return halves;
  }

  /** Returns the storage of an array of the state. */
  static Storage stored(Object slot) {
    return slot instanceof short[] ? Storage.SHORT : Storage.FLOAT;
  }

  RowBlock copy(Storage storage) {
    Object[] copied = state.clone(); // keeps the type of the array
    for (int i = 0; i < state.length; i++) {
      Storage stored = stored(state[i]);
      copied[i] = stored.copyOfRange(state[i], 0, stored.length(state[i]));
    }
    return new RowBlock(storage.copyOfRange(weights, 0, storage.length(weights)), copied);
  }

  /** Overwrites row {@code to} with row {@code from} of another block, including its state. */
  void copyRow(RowBlock other, int from, int to, RowLayout layout) {
    int dim = layout.dim();
    System.arraycopy(other.weights, from * dim, weights, to * dim, dim);
    for (int i = 0; i < state.length; i++) {
      int width = layout.width(i);
      System.arraycopy(other.state[i], from * width, state[i], to * width, width);
    }
  }

  /** Returns the approximate bytes on the heap. */
  long bytes(Storage storage) {
    long bytes = 64 + (long) storage.length(weights) * storage.bytes();
    for (Object slot : state) {
      Storage stored = stored(slot);
      bytes += 24 + (long) stored.bytes() * stored.length(slot);
    }
    return bytes;
  }
}

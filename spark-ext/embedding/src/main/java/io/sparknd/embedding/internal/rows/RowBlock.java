/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.tensor.HalfFloats;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A block of rows, the unit of copy-on-write.
 *
 * @param weights {@code [perBlock, dim]}, row-major
 * @param state one array per optimizer slot, {@code [perBlock, dim]} or {@code [perBlock]}: floats,
 *     or shorts with the bits of bfloat16. A {@code float[][]} if all slots are float32
 * @param usage {@code [perBlock, 2]}: the step of the last update of each row and the number of its
 *     updates, 0 for a row that was never updated; null if the table does not keep them
 */
record RowBlock(Object weights, Object[] state, long @Nullable [] usage) {
  /** Values of {@code usage} per row. */
  static final int USAGE = 2;

  /** Returns a block with zero weights and the initial optimizer state. */
  static RowBlock blank(RowLayout layout) {
    int slots = layout.slots().size();
    Object[] state = layout.hasNarrowState() ? new Object[slots] : new float[slots][];
    for (int i = 0; i < slots; i++) {
      int length = layout.perBlock() * layout.width(i);
      float initial = layout.slots().get(i).initial();
      state[i] = layout.isNarrow(i) ? narrow(length, initial) : full(length, initial);
    }
    return new RowBlock(
        layout.storage().allocate(layout.perBlock() * layout.dim()),
        state,
        layout.hasUsage() ? new long[USAGE * layout.perBlock()] : null);
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
    return new RowBlock(
        storage.copyOfRange(weights, 0, storage.length(weights)),
        copied,
        usage == null ? null : usage.clone());
  }

  /** Reads from row {@code at} of {@code rows}, so that it is in the cache of the processor. */
  int touch(int at, int rows) {
    int sum = touch(weights, at, rows);
    for (Object slot : state) {
      sum += touch(slot, at, rows);
    }
    return sum;
  }

  /** Reads from row {@code at} of an array of {@code rows} rows. */
  static int touch(Object values, int at, int rows) {
    if (values instanceof float[] floats) {
      int width = floats.length / rows;
      return Float.floatToRawIntBits(floats[width * at])
          + Float.floatToRawIntBits(floats[width * at + width - 1]);
    }
    short[] halves = (short[]) values;
    return halves[halves.length / rows * at];
  }

  /** Returns whether row {@code at} was updated, which is known of every row only with usage. */
  boolean isUpdated(int at) {
    return usage == null || usage[USAGE * at + 1] > 0;
  }

  /** Returns the step of the last update of row {@code at}. */
  long lastStep(int at) {
    return Objects.requireNonNull(usage)[USAGE * at];
  }

  /** Returns the number of steps that updated row {@code at}. */
  long updates(int at) {
    return Objects.requireNonNull(usage)[USAGE * at + 1];
  }

  /** Sets the step of the last update of row {@code at} and the number of its updates. */
  void setUsage(int at, long step, long updates) {
    long[] values = Objects.requireNonNull(usage);
    values[USAGE * at] = step;
    values[USAGE * at + 1] = updates;
  }

  /** Counts an update of row {@code at}, if the table keeps that. */
  void count(int at, long step) {
    if (usage != null) {
      usage[USAGE * at] = step;
      usage[USAGE * at + 1]++;
    }
  }

  /**
   * Overwrites row {@code to} with row {@code from} of another block, including state and usage.
   */
  void copyRow(RowBlock other, int from, int to, RowLayout layout) {
    int dim = layout.dim();
    System.arraycopy(other.weights, from * dim, weights, to * dim, dim);
    for (int i = 0; i < state.length; i++) {
      int width = layout.width(i);
      System.arraycopy(other.state[i], from * width, state[i], to * width, width);
    }
    if (usage != null && other.usage != null) {
      System.arraycopy(other.usage, USAGE * from, usage, USAGE * to, USAGE);
    }
  }

  /** Returns the approximate bytes on the heap. */
  long bytes(Storage storage) {
    long bytes = 64 + (long) storage.length(weights) * storage.bytes();
    bytes += usage == null ? 0 : 16 + (long) Long.BYTES * usage.length;
    for (Object slot : state) {
      Storage stored = stored(slot);
      bytes += 24 + (long) stored.bytes() * stored.length(slot);
    }
    return bytes;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Batches of gradients whose addresses ascend, from each batch to the next one, too. */
final class GradientRun {
  /** Above all addresses of numbered rows. */
  static final long END = Long.MAX_VALUE;

  private final List<ShuffleBatch> batches = new ArrayList<>();
  private final int dim;

  /** Number of the batch after {@code current}. */
  private int next;

  /** The batch with the next row, whose number in it is {@code row}; null after the last row. */
  private @Nullable ShuffleBatch current;

  private int row;

  /** The address of the next row, or {@link #END}. */
  private long address = END;

  GradientRun(int dim) {
    this.dim = dim;
  }

  /** Returns whether the addresses of a batch ascend. */
  static boolean isAscending(ShuffleBatch batch) {
    long[] addresses = batch.locals();
    for (int i = 1; i < batch.count(); i++) {
      if (addresses[i - 1] >= addresses[i]) {
        return false;
      }
    }
    return true;
  }

  /** Returns whether the addresses of a batch, which ascend, come after those of the run. */
  boolean isBefore(ShuffleBatch batch) {
    ShuffleBatch last = batches.get(batches.size() - 1);
    return last.locals()[last.count() - 1] < batch.locals()[0];
  }

  /** Appends a batch of at least one row. */
  void add(ShuffleBatch batch) {
    batches.add(batch);
    if (current == null) {
      turn();
    }
  }

  /** Returns the address of the next row, or {@link #END}. */
  long address() {
    return address;
  }

  /** Returns the array of the gradient of the next row. */
  float[] array() {
    return (float[]) Objects.requireNonNull(current).payload();
  }

  /** Returns the place of the gradient of the next row in {@link #array}. */
  int offset() {
    int[] rows = Objects.requireNonNull(current).rows();
    return (rows == null ? row : rows[row]) * dim;
  }

  void advance() {
    ShuffleBatch batch = Objects.requireNonNull(current);
    row++;
    if (row < batch.count()) {
      address = batch.locals()[row];
    } else {
      turn();
    }
  }

  /** Turns to the next batch. */
  private void turn() {
    current = next < batches.size() ? batches.get(next++) : null;
    row = 0;
    address = current == null ? END : current.locals()[0];
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.optimizer.BadGradients;
import io.sparknd.kernel.cpu.HalfRows;
import java.util.Optional;

/**
 * The rows of a {@link GradientWindow} that a step has updated, and their check. They are read
 * after all of them were written: a CPU that reads a row which straddles cache lines right after it
 * was written waits until the row is in its cache.
 */
final class UpdatedWindow {
  private final RowLayout layout;
  private final RowDirectory directory;
  private final int partition;
  private final StateRow state;
  private final boolean isChecked;
  private final float[] widened;
  private final RowBlock[] blocks = new RowBlock[GradientWindow.ROWS];
  private final int[] places = new int[GradientWindow.ROWS];
  private final long[] addresses = new long[GradientWindow.ROWS];
  private int count;

  /**
   * Makes a window without rows.
   *
   * @param partition number of the partition that has the rows
   */
  UpdatedWindow(
      RowLayout layout,
      RowDirectory directory,
      int partition,
      StateRow state,
      BadGradients badGradients) {
    this.layout = layout;
    this.directory = directory;
    this.partition = partition;
    this.state = state;
    this.isChecked = badGradients instanceof BadGradients.Rejected;
    this.widened = new float[layout.dim()];
  }

  /** Adds the row at {@code address}, which is row {@code at} of a block. */
  void add(long address, RowBlock block, int at) {
    addresses[count] = address;
    blocks[count] = block;
    places[count++] = at;
  }

  /**
   * Forgets the rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if an element of their weights or of their state is
   *     NaN or infinite as stored, unless the table allows that
   */
  void check(long step) {
    for (int i = 0; isChecked && i < count; i++) {
      RowBlock block = blocks[i];
      if (!hasFiniteWeights(block, places[i])) {
        throw EmbeddingErrors.badWeights(
            step, directory.id(partition, addresses[i]), layout.dtype());
      }
      // infinite state can leave weights finite: a sum of squares that overflowed stops its row
      Optional<String> slot = state.notFinite(block, places[i]);
      if (slot.isPresent()) {
        throw EmbeddingErrors.badState(step, directory.id(partition, addresses[i]), slot.get());
      }
    }
    count = 0;
  }

  private boolean hasFiniteWeights(RowBlock block, int at) {
    int dim = layout.dim();
    if (block.weights() instanceof float[] weights) {
      return BadGradients.isFinite(weights, at * dim, dim);
    }
    HalfRows.widen(layout.dtype(), (short[]) block.weights(), at * dim, widened, 0, dim);
    return BadGradients.isFinite(widened, 0, dim);
  }
}

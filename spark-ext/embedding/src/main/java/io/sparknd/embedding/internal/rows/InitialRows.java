/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;

/** Generates the rows of one partition that were never written. */
final class InitialRows {
  private final RowLayout layout;
  private final RowDirectory directory;
  private final int partition;
  private final float[] row;

  InitialRows(RowLayout layout, RowDirectory directory, int partition) {
    this.layout = layout;
    this.directory = directory;
    this.partition = partition;
    this.row = new float[layout.dim()];
  }

  /**
   * Returns a block with initial optimizer state, whose first {@code rows} rows have initial
   * weights.
   */
  RowBlock block(int number, int rows) {
    RowBlock block = RowBlock.blank(layout);
    for (int i = 0; i < rows; i++) {
      weights((long) number * layout.perBlock() + i, block.weights(), i * layout.dim());
    }
    return block;
  }

  /** Writes the initial weights of the row at {@code address} to {@code to[at ..]}. */
  void weights(long address, Object to, int at) {
    long id = directory.id(partition, address);
    if (layout.dtype() == DType.FLOAT32) {
      layout.initializer().fill(id, (float[]) to, at, layout.dim());
    } else {
      layout.initializer().fill(id, row, 0, layout.dim());
      HalfRows.round(layout.dtype(), row, 0, (short[]) to, at, layout.dim());
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.tensor.DType;
import java.util.Iterator;
import java.util.NoSuchElementException;

/** Iterates over the rows in written blocks of a partition, several at a time. */
public final class RowTiles implements Iterator<RowTile> {
  private final EmbeddingPartition partition;
  private final RowLayout layout;
  private final RowDirectory directory;
  private final long[] ids;
  private final float[] weights;

  /** The current block; {@code row} is its next row. */
  private int block = -1;

  private int row;
  private int rows;

  /**
   * @param capacity rows of a tile; only the last has fewer
   */
  public RowTiles(
      EmbeddingPartition partition, RowLayout layout, RowDirectory directory, int capacity) {
    this.partition = partition;
    this.layout = layout;
    this.directory = directory;
    this.ids = new long[capacity];
    this.weights = new float[capacity * layout.dim()];
  }

  @Override
  public boolean hasNext() {
    while (row == rows && block + 1 < partition.blocks()) {
      block++;
      row = 0;
      rows = partition.block(block) == null ? 0 : partition.rowsIn(block, layout);
    }
    return row < rows;
  }

  @Override
  public RowTile next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int count = 0;
    while (count < ids.length && hasNext()) {
      int copied = Math.min(rows - row, ids.length - count);
      copy(copied, count);
      row += copied;
      count += copied;
    }
    return new RowTile(count, ids, weights);
  }

  private void copy(int copied, int to) {
    long number = (long) block * layout.perBlock() + row;
    for (int i = 0; i < copied; i++) {
      ids[to + i] = directory.id(partition.index(), partition.rows().address(number + i));
    }
    int dim = layout.dim();
    RowBlock written = partition.block(block);
    if (written == null) {
      throw new IllegalStateException("block " + block + " has no rows");
    }
    Object from = written.weights();
    int first = written.at(number, layout.perBlock()) * dim;
    if (layout.dtype() == DType.FLOAT32) {
      System.arraycopy(from, first, weights, to * dim, copied * dim);
    } else {
      HalfFloatRows.widen(layout.dtype(), (short[]) from, first, weights, to * dim, copied * dim);
    }
  }
}

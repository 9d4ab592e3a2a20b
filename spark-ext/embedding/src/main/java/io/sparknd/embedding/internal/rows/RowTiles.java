/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.kernel.cpu.HalfRows;
import io.sparknd.tensor.DType;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Iterates over the rows of a partition that {@link WrittenRows} returns, several at a time. */
public final class RowTiles implements Iterator<RowTile> {
  private final EmbeddingPartition partition;
  private final RowLayout layout;
  private final RowDirectory directory;
  private final long[] ids;
  private final float[] weights;

  /** The number of the current block; {@code row} is its next row. */
  private int block = -1;

  private @Nullable RowBlock written;
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
    while (row == rows || !isUpdated(row)) {
      if (row < rows) {
        row++;
      } else if (block + 1 == partition.blocks()) {
        return false;
      } else {
        block++;
        row = 0;
        written = partition.block(block);
        rows = written == null ? 0 : partition.rowsIn(block, layout);
      }
    }
    return true;
  }

  private boolean isUpdated(int inBlock) {
    RowBlock current = Objects.requireNonNull(written);
    return current.isUpdated(current.at(number(inBlock), layout.perBlock()));
  }

  private long number(int inBlock) {
    return (long) block * layout.perBlock() + inBlock;
  }

  @Override
  public RowTile next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    int count = 0;
    while (count < ids.length && hasNext()) {
      int copied = run(Math.min(rows - row, ids.length - count));
      copy(copied, count);
      row += copied;
      count += copied;
    }
    return new RowTile(count, ids, weights);
  }

  /** Returns how many of at most {@code most} rows follow one another; the next one is there. */
  private int run(int most) {
    int length = 1;
    while (length < most && isUpdated(row + length)) {
      length++;
    }
    return length;
  }

  private void copy(int copied, int to) {
    long number = number(row);
    for (int i = 0; i < copied; i++) {
      ids[to + i] = directory.id(partition.index(), partition.rows().address(number + i));
    }
    int dim = layout.dim();
    RowBlock current = Objects.requireNonNull(written);
    Object from = current.weights();
    int first = current.at(number, layout.perBlock()) * dim;
    if (layout.dtype() == DType.FLOAT32) {
      System.arraycopy(from, first, weights, to * dim, copied * dim);
    } else {
      HalfRows.widen(layout.dtype(), (short[]) from, first, weights, to * dim, copied * dim);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.kernel.cpu.FloatRows;
import org.jspecify.annotations.Nullable;

/** Reads weights from a partition. */
public final class RowReader {
  /** Rows that are read ahead of being copied. */
  private static final int AHEAD = 16;

  private final EmbeddingPartition partition;
  private final RowLayout layout;
  private final InitialRows initial;
  private final int perBlock;
  private final int shift;

  /** The weights of a row that was not written. */
  private final Object generated;

  /** Elements read ahead, so that the reads are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private int touched;

  public RowReader(EmbeddingPartition partition, RowLayout layout, RowDirectory directory) {
    this.partition = partition;
    this.layout = layout;
    this.perBlock = layout.perBlock();
    this.shift = Integer.numberOfTrailingZeros(perBlock);
    this.generated = layout.storage().allocate(layout.dim());
    this.initial = new InitialRows(layout, directory, partition.index());
  }

  /** Returns copies of the rows at {@code addresses[from .. to)}, consecutive in a new array. */
  public Object weights(long[] addresses, int from, int to) {
    Object rows = layout.storage().allocate((to - from) * layout.dim());
    for (int i = from; i < to; i++) {
      if ((i - from) % AHEAD == 0) {
        touch(addresses, i, Math.min(i + AHEAD, to));
      }
      long number = partition.rows().row(addresses[i]);
      RowBlock block = block(number);
      int at = (i - from) * layout.dim();
      if (block == null) {
        initial.weights(addresses[i], rows, at);
      } else {
        int row = block.at(number, perBlock);
        System.arraycopy(block.weights(), row * layout.dim(), rows, at, layout.dim());
      }
    }
    return rows;
  }

  /**
   * Copies the requested rows to their positions in {@code [count, dim]}, widened to float32.
   *
   * @param to has a row for each position
   */
  public void copy(RowRequest request, float[] to) {
    long[] addresses = request.addresses();
    for (int i = 0; i < addresses.length; i++) {
      if (i % AHEAD == 0) {
        touch(addresses, i, Math.min(i + AHEAD, addresses.length));
      }
      copy(addresses[i], to, request.positions()[i] * layout.dim());
    }
  }

  private void copy(long address, float[] to, int at) {
    int dim = layout.dim();
    long number = partition.rows().row(address);
    RowBlock block = block(number);
    Object weights = block == null ? generated : block.weights();
    int first = block == null ? 0 : block.at(number, perBlock) * dim;
    if (block == null) {
      initial.weights(address, generated, 0);
    }
    if (weights instanceof float[] floats) {
      FloatRows.copy(floats, first, to, at, dim);
    } else {
      HalfFloatRows.widen(layout.dtype(), (short[]) weights, first, to, at, dim);
    }
  }

  private @Nullable RowBlock block(long number) {
    return number == RowIndex.ABSENT ? null : partition.block((int) (number >>> shift));
  }

  /** Reads rows one right after the other, which the processor then fetches at once. */
  private void touch(long[] addresses, int from, int to) {
    for (int i = from; i < to; i++) {
      long number = partition.rows().row(addresses[i]);
      RowBlock block = block(number);
      if (block != null) {
        touched += block.touchWeights(block.at(number, perBlock), perBlock);
      }
    }
  }

  /**
   * Returns the weights of every block of numbered rows, generated for blocks that were not
   * written. Arrays are shared; callers must not modify them.
   */
  public Object[] blocks() {
    Object[] arrays = layout.storage().allocateBlocks(partition.blocks());
    for (int number = 0; number < arrays.length; number++) {
      RowBlock block = partition.block(number);
      int rows = partition.rowsIn(number, layout);
      arrays[number] = cut(block == null ? initial.block(number, rows) : block, number, rows);
    }
    return arrays;
  }

  /** Cuts a slab to the block, and the last block to its rows; it may be partly filled. */
  private Object cut(RowBlock block, int number, int rows) {
    int first = block.at((long) number * perBlock, perBlock) * layout.dim();
    int length = rows * layout.dim();
    return layout.storage().length(block.weights()) == length
        ? block.weights()
        : layout.storage().copyOfRange(block.weights(), first, first + length);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/** Reads weights from a partition. */
public final class RowReader {
  private final EmbeddingPartition partition;
  private final RowLayout layout;
  private final InitialRows initial;

  public RowReader(EmbeddingPartition partition, RowLayout layout, RowDirectory directory) {
    this.partition = partition;
    this.layout = layout;
    this.initial = new InitialRows(layout, directory, partition.index());
  }

  /** Returns copies of the rows at {@code addresses[from .. to)}, consecutive in a new array. */
  public Object weights(long[] addresses, int from, int to) {
    Object rows = layout.storage().allocate((to - from) * layout.dim());
    int perBlock = layout.perBlock();
    for (int i = from; i < to; i++) {
      long number = partition.rows().row(addresses[i]);
      RowBlock block =
          number == RowIndex.ABSENT ? null : partition.block((int) (number / perBlock));
      int at = (i - from) * layout.dim();
      if (block == null) {
        initial.weights(addresses[i], rows, at);
      } else {
        int row = (int) (number % perBlock);
        System.arraycopy(block.weights(), row * layout.dim(), rows, at, layout.dim());
      }
    }
    return rows;
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
      arrays[number] = cut((block == null ? initial.block(number, rows) : block).weights(), rows);
    }
    return arrays;
  }

  /** Cuts the last block to its rows; it may be partly filled. */
  private Object cut(Object weights, int rows) {
    return rows == layout.perBlock()
        ? weights
        : layout.storage().copyOfRange(weights, 0, rows * layout.dim());
  }
}

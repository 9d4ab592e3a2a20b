/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/** Visits the rows of a partition that were updated, in the order of their row numbers. */
final class UpdatedRows {
  private UpdatedRows() {}

  /** A function of one row: row {@code at} of the arrays of {@code block}, with the given id. */
  interface Visitor<E extends Exception> {
    void visit(long id, RowBlock block, int at) throws E;
  }

  static <E extends Exception> void visit(
      EmbeddingPartition partition, RowLayout layout, RowDirectory directory, Visitor<E> visitor)
      throws E {
    for (int number = 0; number < partition.blocks(); number++) {
      RowBlock block = partition.block(number);
      int rows = block == null ? 0 : partition.rowsIn(number, layout);
      for (int i = 0; block != null && i < rows; i++) {
        long row = (long) number * layout.perBlock() + i;
        int at = block.at(row, layout.perBlock());
        if (block.isUpdated(at)) {
          long address = partition.rows().address(row);
          visitor.visit(directory.id(partition.index(), address), block, at);
        }
      }
    }
  }

  /** Returns the number of the rows. */
  static long count(EmbeddingPartition partition, RowLayout layout) {
    long count = 0;
    for (int number = 0; number < partition.blocks(); number++) {
      RowBlock block = partition.block(number);
      count += block == null ? 0 : count(block, number, partition.rowsIn(number, layout), layout);
    }
    return count;
  }

  private static int count(RowBlock block, int number, int rows, RowLayout layout) {
    if (block.usage() == null) {
      return rows;
    }
    int first = block.at((long) number * layout.perBlock(), layout.perBlock());
    int count = 0;
    for (int i = 0; i < rows; i++) {
      count += block.isUpdated(first + i) ? 1 : 0;
    }
    return count;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.io.Serializable;

/** Maps ids to partitions, and to addresses within them. */
public sealed interface RowDirectory extends Serializable permits DenseIdDirectory, KeyDirectory {

  /**
   * Returns the directory of a table.
   *
   * @param rows number of rows, above all ids; 0 if ids are keys
   */
  static RowDirectory of(RowLayout layout, long rows, int partitions) {
    if (rows > 0) {
      return DenseIdDirectory.of(layout, rows, partitions);
    }
    FilterShape shape = layout.filterShape();
    return shape == null
        ? new HashedKeyDirectory(partitions)
        : new BucketKeyDirectory(partitions, shape);
  }

  int partitions();

  /**
   * Checks an id.
   *
   * @param position position of the id among those that the mini-batch requests
   * @throws io.sparknd.tensor.SparkNdException if the table cannot have a row of this id
   */
  void check(long id, int position, long step);

  int owner(long id);

  /** Returns the address of the id's row within its partition. */
  long address(long id);

  /** Returns whether {@code id} has {@code address} in {@code partition}. */
  boolean isAt(long id, int partition, long address);

  /** Returns the id at {@code address} of {@code partition}. */
  long id(int partition, long address);
}

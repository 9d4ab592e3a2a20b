/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import java.io.Serializable;

/** Which partition has the row of an id, and under which address. */
public sealed interface RowDirectory extends Serializable permits DenseIdDirectory, HashedKeys {

  /**
   * @param rows of the table; ids are below. 0 where ids are keys
   */
  static RowDirectory of(RowLayout layout, long rows, int partitions) {
    return rows == 0 ? new HashedKeys(partitions) : DenseIdDirectory.of(layout, rows, partitions);
  }

  int partitions();

  /**
   * @param position of the id among those that the mini-batch asks for
   * @throws io.sparknd.tensor.SparkNdException if the table can have no row of that id
   */
  void check(long id, int position, long step);

  int owner(long id);

  /** What the owner knows the row by. */
  long address(long id);

  /** The id that has {@code address} in {@code partition}. */
  long id(int partition, long address);
}

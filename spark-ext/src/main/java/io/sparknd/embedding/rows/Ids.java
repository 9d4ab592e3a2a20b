/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.layout.InTurn;
import java.io.Serializable;

/**
 * Which partition has the row of an id, and where. Blocks of rows go to partitions in turn, so that
 * popular ids that are neighbours spread.
 *
 * @param rows of the table; ids are below
 */
public record Ids(InTurn dealing, long rows) implements Serializable {
  public static Ids of(RowLayout layout, long rows, int partitions) {
    return new Ids(new InTurn(partitions, layout.perBlock()), rows);
  }

  public int partitions() {
    return dealing.partitions();
  }

  public boolean contains(long id) {
    return id >= 0 && id < rows;
  }

  public int owner(long id) {
    return dealing.owner(id);
  }

  /** The number of the row in its partition. */
  public long address(long id) {
    return dealing.local(id);
  }

  /** The id that has number {@code address} in {@code partition}. */
  long id(int partition, long address) {
    return dealing.global(partition, address);
  }

  /** Rows of block {@code local} of {@code partition}. */
  int rowsIn(int partition, int local) {
    return (int) dealing.inBlock(id(partition, local * dealing.perBlock()), rows);
  }

  /** The number among all blocks of block {@code local} of {@code partition}. */
  long block(int partition, int local) {
    return (long) local * partitions() + partition;
  }

  int blocksIn(int partition) {
    return Math.toIntExact(dealing.blocksIn(partition, rows));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.layout.CyclicBlockPartitioner;
import io.sparknd.embedding.EmbeddingErrors;

/**
 * Ids from 0 on. Blocks of rows go to partitions in turn, so that popular ids that are neighbours
 * spread; the address of a row is its number in its partition.
 *
 * @param rows of the table; ids are below
 */
public record DenseIdDirectory(CyclicBlockPartitioner dealing, long rows) implements RowDirectory {
  /** Blocks of a partition are counted in an int. */
  private static final long MOST_BLOCKS = Integer.MAX_VALUE - EmbeddingPartition.PAGE;

  /**
   * @throws io.sparknd.tensor.SparkNdException if a partition would have too many rows
   */
  static DenseIdDirectory of(RowLayout layout, long rows, int partitions) {
    long most = MOST_BLOCKS * layout.perBlock();
    if (rows / partitions >= most) {
      throw EmbeddingErrors.partitionOfTooManyRows(rows, partitions, most);
    }
    return new DenseIdDirectory(new CyclicBlockPartitioner(partitions, layout.perBlock()), rows);
  }

  @Override
  public int partitions() {
    return dealing.partitions();
  }

  @Override
  public void check(long id, int position, long step) {
    if (id < 0 || id >= rows) {
      throw EmbeddingErrors.noSuchRow(id, position, step, rows);
    }
  }

  @Override
  public int owner(long id) {
    return dealing.owner(id);
  }

  @Override
  public long address(long id) {
    return dealing.local(id);
  }

  @Override
  public long id(int partition, long address) {
    return dealing.global(partition, address);
  }

  /** Rows of {@code partition}. */
  long rowsIn(int partition) {
    long before = (dealing.blocksIn(partition, rows) - 1) * dealing.perBlock();
    return before < 0 ? 0 : before + dealing.inBlock(id(partition, before), rows);
  }

  /** The number among all blocks of block {@code local} of {@code partition}. */
  long block(int partition, int local) {
    return (long) local * partitions() + partition;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.embedding.internal.EmbeddingErrors;

/**
 * Maps dense ids, numbered from 0, to partitions. Blocks of rows are distributed round-robin
 * (block-cyclic), so that popular neighboring ids are in different partitions. The address of a row
 * is its number in its partition.
 *
 * @param partitioner block-cyclic distribution of rows
 * @param rows number of rows of the table; ids are less than this
 */
public record DenseIdDirectory(CyclicBlockPartitioner partitioner, long rows)
    implements RowDirectory {
  /** Maximum number of blocks in a partition, which is an int. */
  private static final long MAX_BLOCKS = Integer.MAX_VALUE - EmbeddingPartition.PAGE;

  /**
   * Returns the directory of a table.
   *
   * @throws io.sparknd.tensor.SparkNdException if a partition would have too many rows
   */
  static DenseIdDirectory of(RowLayout layout, long rows, int partitions) {
    long most = MAX_BLOCKS * layout.perBlock();
    if (rows / partitions >= most) {
      throw EmbeddingErrors.partitionOfTooManyRows(rows, partitions, most);
    }
    return new DenseIdDirectory(new CyclicBlockPartitioner(partitions, layout.perBlock()), rows);
  }

  @Override
  public int partitions() {
    return partitioner.partitions();
  }

  @Override
  public void check(long id, int position, long step) {
    if (id < 0 || id >= rows) {
      throw EmbeddingErrors.noSuchRow(id, position, step, rows);
    }
  }

  /** Divides as an int if possible, which takes a fraction of the time. */
  private long blockInPartition(long block) {
    return block == (int) block ? (int) block / partitions() : block / partitions();
  }

  /** Returns the number of neighboring rows that are in the same partition. */
  public int perBlock() {
    return Math.toIntExact(partitioner.perBlock());
  }

  private int shift() {
    return Long.numberOfTrailingZeros(partitioner.perBlock()); // a power of two
  }

  @Override
  public int owner(long id) {
    long block = id >> shift();
    return (int) (block - blockInPartition(block) * partitions());
  }

  @Override
  public long address(long id) {
    return (blockInPartition(id >> shift()) << shift()) + (id & partitioner.perBlock() - 1);
  }

  @Override
  public boolean isAt(long id, int partition, long address) {
    return id == id(partition, address);
  }

  @Override
  public long id(int partition, long address) {
    long block = (address >> shift()) * partitions() + partition;
    return (block << shift()) + (address & partitioner.perBlock() - 1);
  }

  /** Returns the number of rows of {@code partition}. */
  public long rowsIn(int partition) {
    long before = (partitioner.blocksIn(partition, rows) - 1) * partitioner.perBlock();
    return before < 0 ? 0 : before + partitioner.inBlock(id(partition, before), rows);
  }

  /** Returns the number, among all blocks, of block {@code local} of {@code partition}. */
  long block(int partition, int local) {
    return (long) local * partitions() + partition;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import java.io.Serializable;

/**
 * Cuts the units of a tensor, numbered row-major from 0, into blocks and assigns these to
 * partitions. A block holds a whole number of units. Units also have a number within their
 * partition, where every block takes {@link #perBlock} numbers, even if it is not full.
 */
public sealed interface BlockPartitioner extends Serializable
    permits CyclicBlockPartitioner, RangeBlockPartitioner {
  int partitions();

  /** Returns the units in a full block. */
  long perBlock();

  /** Returns the same blocks in units of which {@code n} make one of these. */
  BlockPartitioner inParts(long n);

  /** Returns the partition that owns {@code unit}. */
  int owner(long unit);

  /** Returns the number of {@code unit} in its partition. */
  long local(long unit);

  /** Returns the unit with number {@code local} in {@code partition}. */
  long global(int partition, long local);

  /** Returns the number of blocks of {@code partition}, given {@code units} units in all. */
  long blocksIn(int partition, long units);

  /**
   * Returns the units in the block that begins with {@code unit}, given {@code units} units in all.
   */
  long inBlock(long unit, long units);
}

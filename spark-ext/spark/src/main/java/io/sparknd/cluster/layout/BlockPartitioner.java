/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.layout;

import java.io.Serializable;

/**
 * How the units of a tensor, numbered row-major from 0, are cut into blocks and dealt to
 * partitions. A unit is whatever a block holds a whole number of. Units have a number of their own
 * in their partition, where every block takes {@link #perBlock} numbers, even if it is not full.
 */
public sealed interface BlockPartitioner extends Serializable
    permits CyclicBlockPartitioner, RangeBlockPartitioner {
  int partitions();

  /** Units in a full block. */
  long perBlock();

  /** The same blocks in smaller units, {@code n} to one of these. */
  BlockPartitioner inParts(long n);

  /** The partition that owns {@code unit}. */
  int owner(long unit);

  /** The number of {@code unit} in its partition. */
  long local(long unit);

  /** The unit that is number {@code local} in {@code partition}. */
  long global(int partition, long local);

  /** Blocks of {@code partition}, of {@code units} units in all. */
  long blocksIn(int partition, long units);

  /** Units of the block that begins with {@code unit}, of {@code units} units in all. */
  long inBlock(long unit, long units);
}

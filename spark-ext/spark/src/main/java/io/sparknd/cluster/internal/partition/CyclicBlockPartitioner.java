/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

/**
 * Assigns blocks round-robin (block-cyclic): block {@code b} to partition {@code b % partitions},
 * so that neighbouring hot units spread.
 */
public record CyclicBlockPartitioner(int partitions, long perBlock) implements BlockPartitioner {
  @Override
  public BlockPartitioner inParts(long n) {
    return new CyclicBlockPartitioner(partitions, perBlock * n);
  }

  @Override
  public int owner(long unit) {
    return (int) (unit / perBlock % partitions);
  }

  @Override
  public long local(long unit) {
    long block = unit / perBlock;
    return block / partitions * perBlock + (unit - block * perBlock);
  }

  @Override
  public long global(int partition, long local) {
    long block = local / perBlock;
    return (block * partitions + partition) * perBlock + (local - block * perBlock);
  }

  @Override
  public long blocksIn(int partition, long units) {
    long blocks = -Math.floorDiv(-units, perBlock);
    return Math.max(0, -Math.floorDiv(partition - blocks, partitions));
  }

  @Override
  public long inBlock(long unit, long units) {
    return Math.min(perBlock, units - unit);
  }
}

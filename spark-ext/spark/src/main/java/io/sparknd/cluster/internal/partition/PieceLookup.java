/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;

/**
 * Locates the pieces of one partition: the array that holds a piece, and the unit in it at which
 * the piece begins. Pieces are identified by their number in the partition.
 */
public final class PieceLookup implements SliceLookup {
  private final Object[] blocks;
  private final long perBlock;
  private final int units;
  private final int shift;

  public PieceLookup(TensorPartition partition, Pieces pieces) {
    this.blocks = partition.blocks();
    this.perBlock = pieces.perBlock();
    this.units = pieces.units();
    boolean powerOfTwo = Long.bitCount(perBlock) == 1;
    this.shift = powerOfTwo ? Long.numberOfTrailingZeros(perBlock) : -1;
  }

  @Override
  public boolean areEmpty() {
    return units == 0;
  }

  @Override
  public Object array(long piece) {
    return blocks[(int) block(piece)];
  }

  @Override
  public int unit(long piece) {
    return (int) (piece - block(piece) * perBlock) * units;
  }

  /**
   * Shifts where the pieces of a block are a power of two, since a division costs as much as a
   * lookup.
   */
  private long block(long piece) {
    return shift >= 0 ? piece >> shift : piece / perBlock;
  }
}

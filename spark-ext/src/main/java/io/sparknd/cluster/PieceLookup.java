/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.BlockLayout.Pieces;

/** Where pieces are: the array, and the unit in it at which a piece begins. */
final class PieceLookup {
  private final Object[] blocks;
  private final long perBlock;
  private final int units;
  private final int shift;

  private PieceLookup(Object[] blocks, Pieces pieces) {
    this.blocks = blocks;
    this.perBlock = pieces.perBlock();
    this.units = pieces.units();
    boolean powerOfTwo = Long.bitCount(perBlock) == 1;
    this.shift = powerOfTwo ? Long.numberOfTrailingZeros(perBlock) : -1;
  }

  /** Pieces of one partition, by their number among its own. */
  static PieceLookup in(TensorPartition partition, Pieces pieces) {
    return new PieceLookup(partition.blocks(), pieces);
  }

  /** Pieces of a whole tensor, by their number in it. */
  static PieceLookup in(TensorPartition[] tensor, Pieces pieces) {
    int count = 0;
    for (TensorPartition partition : tensor) {
      count += partition.blocks().length;
    }
    Object[] all = new Object[count];
    for (TensorPartition partition : tensor) {
      Object[] blocks = partition.blocks();
      for (int local = 0; local < blocks.length; local++) {
        long first = pieces.global(partition.index(), local * pieces.perBlock());
        all[(int) (first / pieces.perBlock())] = blocks[local];
      }
    }
    return new PieceLookup(all, pieces);
  }

  /** Whether pieces have no units, and lie in no array. */
  boolean areEmpty() {
    return units == 0;
  }

  Object array(long piece) {
    return blocks[(int) block(piece)];
  }

  int unit(long piece) {
    return (int) (piece - block(piece) * perBlock) * units;
  }

  /** Blocks mostly hold a power of two of pieces, and a division takes as long as a lookup. */
  private long block(long piece) {
    return shift >= 0 ? piece >> shift : piece / perBlock;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.spi.SliceAddresses;
import org.jspecify.annotations.Nullable;

/** Counts the updates of each slice; counters exist only for blocks that have updates. */
final class SliceCounts {
  /** Visits one slice that has updates. */
  interface Visitor {
    void visit(int block, int position, int count);
  }

  private final int units;
  private final int slicesPerBlock;
  private final int[][] counts;

  SliceCounts(SliceBlocks blocks) {
    this.units = blocks.units();
    this.slicesPerBlock = blocks.slicesPerBlock();
    this.counts = new int[blocks.arrays().length][];
  }

  /**
   * Counts the slices of {@code chunk}. If {@code firsts} is not null, the first update of each
   * slice moves from {@code chunk} to {@code firsts}. It precedes all others of its slice, so
   * {@code firsts} can be applied before {@code chunk}.
   */
  void count(SliceAddresses chunk, @Nullable SliceAddresses firsts) {
    int kept = 0;
    for (int i = 0; i < chunk.count; i++) {
      boolean first = countOne(chunk.block[i], chunk.position[i] / units);
      if (first && firsts != null) {
        copy(chunk, i, firsts, firsts.count++);
      } else {
        copy(chunk, i, chunk, kept++);
      }
    }
    chunk.count = kept;
  }

  private boolean countOne(int block, int slice) {
    if (counts[block] == null) {
      counts[block] = new int[slicesPerBlock];
    }
    return counts[block][slice]++ == 0;
  }

  private static void copy(SliceAddresses from, int i, SliceAddresses to, int j) {
    to.block[j] = from.block[i];
    to.position[j] = from.position[i];
    to.row[j] = from.row[i];
  }

  /** Returns the lowest slice with more than one update, or -1. */
  long firstRepeated() {
    for (int block = 0; block < counts.length; block++) {
      for (int slice = 0; counts[block] != null && slice < slicesPerBlock; slice++) {
        if (counts[block][slice] > 1) {
          return (long) block * slicesPerBlock + slice;
        }
      }
    }
    return -1;
  }

  void forEach(Visitor visitor) {
    for (int block = 0; block < counts.length; block++) {
      if (counts[block] != null) {
        visitBlock(block, visitor);
      }
    }
  }

  private void visitBlock(int block, Visitor visitor) {
    for (int slice = 0; slice < slicesPerBlock; slice++) {
      if (counts[block][slice] > 0) {
        visitor.visit(block, slice * units, counts[block][slice]);
      }
    }
  }
}

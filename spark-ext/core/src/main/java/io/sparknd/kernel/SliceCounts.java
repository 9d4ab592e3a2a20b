/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.kernel.spi.SliceAddresses;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Counts the updates of each slice. Counters exist only for blocks that have updates. A counter is
 * an int; a slice with more updates has a carry, too.
 */
final class SliceCounts {
  /** Visits one slice that has updates. */
  interface Visitor {
    void visit(int block, int position, long count);
  }

  private final int units;
  private final int slicesPerBlock;

  /** Unsigned, at most 2^31; 0 only for a slice without updates. */
  private final int[][] counts;

  /** The updates that {@link #counts} lacks, by {@link #number}. */
  private final Map<Long, Long> carries = new HashMap<>();

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

  /** Counts an update and returns whether it is the first of its slice. */
  private boolean countOne(int block, int slice) {
    int before = counters(block)[slice]++;
    if (before < 0) {
      carry(block, slice);
    }
    return before == 0;
  }

  private int[] counters(int block) {
    if (counts[block] == null) {
      counts[block] = new int[slicesPerBlock];
    }
    return counts[block];
  }

  /** Moves all updates but the last from the counter of a slice to its carry. */
  private void carry(int block, int slice) {
    counts[block][slice] = 1;
    carries.merge(number(block, slice), 1L << (Integer.SIZE - 1), Long::sum);
  }

  private long number(int block, int slice) {
    return (long) block * slicesPerBlock + slice;
  }

  private long count(int block, int slice) {
    long count = Integer.toUnsignedLong(counts[block][slice]);
    return carries.isEmpty() ? count : count + carries.getOrDefault(number(block, slice), 0L);
  }

  /** Sets the counter of a slice that has no carry, for tests of many updates. */
  void set(int block, int slice, int count) {
    counters(block)[slice] = count;
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
        if (count(block, slice) > 1) {
          return number(block, slice);
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
      if (counts[block][slice] != 0) {
        visitor.visit(block, slice * units, count(block, slice));
      }
    }
  }
}

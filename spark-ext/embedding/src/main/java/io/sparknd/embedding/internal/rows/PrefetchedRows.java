/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * Rows that are prefetched into the CPU's cache. The CPU fetches several at once if little else is
 * between the reads: the blocks of all rows are found first, then all are read.
 */
final class PrefetchedRows {
  private final RowLayout layout;
  private final RowBlock[] blocks;
  private final int[] places;
  private int count;

  /** Sum of elements that were read, so that the reads are not optimized away. */
  @SuppressWarnings("UnusedVariable")
  private int sum;

  /**
   * Makes no rows.
   *
   * @param most the most rows at a time
   */
  PrefetchedRows(RowLayout layout, int most) {
    this.layout = layout;
    this.blocks = new RowBlock[most];
    this.places = new int[most];
  }

  /** Adds row {@code place} of a block. */
  void add(RowBlock block, int place) {
    blocks[count] = block;
    places[count++] = place;
  }

  /** Prefetches the weights and the state of the rows, and forgets the rows. */
  void prefetch() {
    for (int slot = 0; slot < layout.slots().size(); slot++) {
      int width = layout.width(slot);
      for (int i = 0; i < count; i++) {
        read(blocks[i].state()[slot], places[i], width);
      }
    }
    prefetchWeights();
  }

  /** Prefetches the weights of the rows, and forgets the rows. */
  void prefetchWeights() {
    for (int i = 0; i < count; i++) {
      read(blocks[i].weights(), places[i], layout.dim());
    }
    count = 0;
  }

  /** Reads both ends of a row, which may be in two cache lines. */
  private void read(Object values, int place, int width) {
    int first = place * width;
    int last = first + width - 1;
    sum +=
        values instanceof float[] floats
            ? Float.floatToRawIntBits(floats[first]) + Float.floatToRawIntBits(floats[last])
            : ((short[]) values)[first] + ((short[]) values)[last];
  }
}

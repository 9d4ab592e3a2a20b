/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

/**
 * Rows that are read before something is done with each of them. Rows of a mini-batch are anywhere
 * in memory: the processor fetches several at once if little else is between the reads. That is why
 * all blocks are found before the first row is read.
 */
final class RowsAhead {
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
  RowsAhead(RowLayout layout, int most) {
    this.layout = layout;
    this.blocks = new RowBlock[most];
    this.places = new int[most];
  }

  /** Adds row {@code place} of a block. */
  void add(RowBlock block, int place) {
    blocks[count] = block;
    places[count++] = place;
  }

  /** Reads from the weights and the state of the rows, and forgets them. */
  void touch() {
    for (int slot = 0; slot < layout.slots().size(); slot++) {
      int width = layout.width(slot);
      for (int i = 0; i < count; i++) {
        touch(blocks[i].state()[slot], places[i], width);
      }
    }
    touchWeights();
  }

  /** Reads from the weights of the rows, and forgets them. */
  void touchWeights() {
    for (int i = 0; i < count; i++) {
      touch(blocks[i].weights(), places[i], layout.dim());
    }
    count = 0;
  }

  /** Reads both ends of a row, which may be in two cache lines. */
  private void touch(Object values, int place, int width) {
    int first = place * width;
    int last = first + width - 1;
    sum +=
        values instanceof float[] floats
            ? Float.floatToRawIntBits(floats[first]) + Float.floatToRawIntBits(floats[last])
            : ((short[]) values)[first] + ((short[]) values)[last];
  }
}

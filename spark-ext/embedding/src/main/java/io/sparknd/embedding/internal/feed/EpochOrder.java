/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import java.io.Serializable;
import java.util.stream.IntStream;

/**
 * The order of a shard's rows in each epoch, a function of seed, epoch and shard. Chunks are
 * permuted, and then rows within windows of consecutive chunks. Rows were dealt to chunks at
 * random, so each chunk is a random sample of the shard already.
 *
 * @param chunkRows rows of each chunk
 * @param steps steps of an epoch, at least 1
 */
public record EpochOrder(long seed, int shard, int[] chunkRows, long steps)
    implements Serializable {
  /** Chunks of a window: a batch reads those of one window, or of two. */
  static final int WINDOW = 8;

  /** The rows of a batch: row {@code rows[i]} of chunk {@code chunks[i]}. */
  record Picks(int[] chunks, int[] rows) {}

  /** Returns the rows of a step, counted from the beginning of the first epoch. */
  Picks picks(long step) {
    long epoch = Math.floorDiv(step, steps);
    long number = Math.floorMod(step, steps);
    long from = begin(number, rows());
    int count = (int) (begin(number + 1, rows()) - from);
    Picks picks = new Picks(new int[count], new int[count]);
    fill(picks, from, epoch);
    return picks;
  }

  /** Returns the rows of the shard. */
  long rows() {
    return IntStream.of(chunkRows).asLongStream().sum();
  }

  /** Returns the first row of a step: the first {@code rows % steps} have one row more. */
  private long begin(long step, long rows) {
    return step * (rows / steps) + Math.min(step, rows % steps);
  }

  private void fill(Picks picks, long from, long epoch) {
    int[] order = chunkOrder(epoch);
    long begin = 0;
    int filled = 0;
    for (int first = 0; filled < picks.rows.length; first += WINDOW) {
      int end = Math.min(first + WINDOW, order.length);
      long size = 0;
      for (int i = first; i < end; i++) {
        size += chunkRows[order[i]];
      }
      if (from + filled < begin + size) {
        IndexPermutation within =
            new IndexPermutation(size, SeededMix.of(seed, epoch, shard, 1, first));
        while (filled < picks.rows.length && from + filled < begin + size) {
          locate(picks, filled, within.at(from + filled - begin), order, first);
          filled++;
        }
      }
      begin += size;
    }
  }

  /** Finds row {@code row} of the window that begins with chunk {@code first} of the order. */
  private void locate(Picks picks, int i, long row, int[] order, int first) {
    int at = first;
    long rest = row;
    while (rest >= chunkRows[order[at]]) {
      rest -= chunkRows[order[at]];
      at++;
    }
    picks.chunks[i] = order[at];
    picks.rows[i] = (int) rest;
  }

  /** Returns the chunks in the order of an epoch, by the shuffle of Fisher and Yates. */
  private int[] chunkOrder(long epoch) {
    int[] order = new int[chunkRows.length];
    for (int i = 0; i < order.length; i++) {
      int other = (int) Long.remainderUnsigned(SeededMix.of(seed, epoch, shard, 0, i), i + 1L);
      order[i] = order[other];
      order[other] = i;
    }
    return order;
  }
}

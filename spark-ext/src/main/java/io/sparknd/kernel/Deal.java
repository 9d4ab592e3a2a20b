/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.Offsets;
import java.util.Arrays;

/** A run of updates dealt out to the shares of a tensor; each share keeps them in their order. */
final class Deal {
  /** Slots resolved at a time, so that their offsets stay in cache. */
  private static final int CHUNK = 2048;

  private final Shares shares;
  private final Hand[] hands;
  private final long[] offsets = new long[CHUNK];
  private final int[] owners = new int[CHUNK];

  /**
   * @param updates that are dealt at a time, at most
   */
  Deal(Shares shares, int updates) {
    this.shares = shares;
    this.hands = new Hand[shares.count()];
    int fair = updates / hands.length;
    Arrays.setAll(hands, share -> new Hand(fair + fair / 8 + CHUNK));
  }

  /**
   * Deals slots {@code [from, to)} in place of those dealt before.
   *
   * @throws io.sparknd.tensor.SparkNdException if the policy refuses a tuple
   */
  void deal(Offsets of, long from, long to) {
    for (Hand hand : hands) {
      hand.count = 0;
    }
    for (long slot = from; slot < to; slot += CHUNK) {
      int length = (int) Math.min(CHUNK, to - slot);
      of.resolve(slot, length, offsets);
      shares.assign(offsets, length, owners);
      for (int share = 0; share < hands.length; share++) {
        hands[share].take(share, offsets, owners, length, (int) slot);
      }
    }
  }

  /** Applies what {@code share} was dealt. */
  void apply(int share, SliceFold fold, Object updates) {
    Hand hand = hands[share];
    fold.apply(hand.offsets, hand.rows, 0, 0, hand.count, updates);
  }

  /** The updates of one share. */
  private static final class Hand {
    long[] offsets;
    int[] rows;
    int count;

    Hand(int capacity) {
      offsets = new long[capacity];
      rows = new int[capacity];
    }

    void take(int share, long[] all, int[] owners, int length, int firstRow) {
      if (count + length > rows.length) {
        offsets = Arrays.copyOf(offsets, 2 * rows.length);
        rows = Arrays.copyOf(rows, 2 * rows.length);
      }
      int next = count;
      for (int i = 0; i < length; i++) {
        // written in any case: a branch would be guessed wrong half the time
        offsets[next] = all[i];
        rows[next] = firstRow + i;
        next += owners[i] == share ? 1 : 0;
      }
      count = next;
    }
  }
}

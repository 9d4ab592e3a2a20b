/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

/**
 * A permutation of {@code 0 .. size - 1} that is computed for one number at a time, so that a batch
 * from the middle costs no more than one from the beginning. It is a Feistel network on the next
 * even number of bits; numbers that leave the range are permuted again (cycle walking), at most
 * four times on average.
 */
final class IndexPermutation {
  private static final int ROUNDS = 6;

  private final long size;
  private final long key;
  private final int half;
  private final long mask;

  /** Creates the permutation of {@code size} numbers, at least 1, for a key. */
  IndexPermutation(long size, long key) {
    this.size = size;
    this.key = key;
    int bits = 64 - Long.numberOfLeadingZeros(size - 1);
    this.half = Math.max(1, (bits + 1) / 2);
    this.mask = (1L << half) - 1;
  }

  /** Returns the number at a position; both are in {@code [0, size)}. */
  long at(long position) {
    long number = position;
    do {
      number = encrypted(number);
    } while (number >= size);
    return number;
  }

  private long encrypted(long number) {
    long left = number >>> half;
    long right = number & mask;
    for (int round = 0; round < ROUNDS; round++) {
      long next = left ^ (SeededMix.mix(key + SeededMix.mix(right * ROUNDS + round)) & mask);
      left = right;
      right = next;
    }
    return left << half | right;
  }
}

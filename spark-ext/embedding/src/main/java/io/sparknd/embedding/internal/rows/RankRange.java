/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.lifecycle.EvictionOrder;
import java.io.Serializable;

/**
 * Ranks of rows, pairs {@code (rank, key)} of 128 bits, that begin with the same 16-bit digits. A
 * radix selection narrows it until it contains the rank that it looks for.
 *
 * @param rank of the first rank of the range
 * @param key of the first rank of the range: an id with its sign inverted, so that it is unsigned
 * @param digits leading digits that all ranks of the range share, from 0 to 8
 */
public record RankRange(EvictionOrder order, long rank, long key, int digits)
    implements Serializable {
  /** Values of a digit. */
  public static final int RADIX = 1 << 16;

  private static final int BITS = 16;
  private static final int DIGITS_OF_LONG = Long.SIZE / BITS;

  /** Returns the range of all ranks. */
  public static RankRange all(EvictionOrder order) {
    return new RankRange(order, 0, 0, 0);
  }

  /** Returns the part of the range whose next digit is {@code digit}. */
  public RankRange narrowed(int digit) {
    long value = (long) digit << shift();
    return digits < DIGITS_OF_LONG
        ? new RankRange(order, rank | value, key, digits + 1)
        : new RankRange(order, rank, key | value, digits + 1);
  }

  private int shift() {
    return Long.SIZE - BITS * (digits % DIGITS_OF_LONG + 1);
  }

  /** Returns the number of updated rows of a partition for each next digit, {@code [RADIX]}. */
  public long[] counts(EmbeddingPartition partition, RowLayout layout, RowDirectory directory) {
    long[] counts = new long[RADIX];
    UpdatedRows.visit(
        partition,
        layout,
        directory,
        (id, block, at) -> count(counts, RowRank.of(order, block, at, layout), id));
    return counts;
  }

  private void count(long[] counts, long otherRank, long id) {
    long otherKey = key(id);
    if (contains(otherRank, otherKey)) {
      long word = digits < DIGITS_OF_LONG ? otherRank : otherKey;
      counts[(int) (word >>> shift()) & RADIX - 1]++;
    }
  }

  private boolean contains(long otherRank, long otherKey) {
    if (digits <= DIGITS_OF_LONG) {
      return digits == 0 || (rank ^ otherRank) >>> (Long.SIZE - BITS * digits) == 0;
    }
    int rest = Long.SIZE - BITS * (digits - DIGITS_OF_LONG);
    return rank == otherRank && (key ^ otherKey) >>> rest == 0;
  }

  /** Returns the threshold below which all ranks before this range lie. */
  public RankThreshold first() {
    return new RankThreshold(order, rank, id(key));
  }

  private static long key(long id) {
    return id ^ Long.MIN_VALUE;
  }

  private static long id(long key) {
    return key ^ Long.MIN_VALUE;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import java.util.Arrays;
import java.util.stream.IntStream;

/**
 * The order in which a shard names its rows to their owners. Numbered rows come in ascending order:
 * an owner then goes through its memory from one end to the other, which takes less time than going
 * to and fro. Keys come as they are, since their rows are numbered in the order of arrival.
 */
public final class IdOrder {
  private static final int BITS = 11;
  private static final int MASK = (1 << BITS) - 1;

  private IdOrder() {}

  /**
   * Returns the positions of the first {@code count} ids, each once.
   *
   * @param ids distinct
   */
  public static int[] positions(RowDirectory directory, long[] ids, int count) {
    int[] positions = IntStream.range(0, count).toArray();
    if (directory instanceof DenseIdDirectory dense) {
      long highest = dense.rows() - 1;
      return highest >>> Integer.SIZE == 0
          ? ascendingInts(ids, count, highest)
          : ascending(positions, Arrays.copyOf(ids, count), highest);
    }
    return positions;
  }

  /** Sorts ids of 32 bits, each with its position in the lower half. */
  private static int[] ascendingInts(long[] ids, int count, long highest) {
    long[] from = new long[count];
    long[] to = new long[count];
    for (int i = 0; i < count; i++) {
      from[i] = ids[i] << Integer.SIZE | i;
    }
    for (int shift = Integer.SIZE; highest >>> shift - Integer.SIZE > 0; shift += BITS) {
      int[] next = firsts(from, count, shift);
      for (int i = 0; i < count; i++) {
        to[next[digit(from[i], shift)]++] = from[i];
      }
      long[] swapped = from;
      from = to;
      to = swapped;
    }
    int[] positions = new int[count];
    for (int i = 0; i < count; i++) {
      positions[i] = (int) from[i];
    }
    return positions;
  }

  /** Sorts by one digit after the other, the lowest first; {@code ids} are not kept. */
  private static int[] ascending(int[] positions, long[] ids, long highest) {
    int[] from = positions;
    int[] to = new int[from.length];
    long[] fromIds = ids;
    long[] toIds = new long[from.length];
    for (int shift = 0; shift < Long.SIZE && highest >>> shift > 0; shift += BITS) {
      int[] next = firsts(fromIds, from.length, shift);
      for (int i = 0; i < from.length; i++) {
        int place = next[digit(fromIds[i], shift)]++;
        to[place] = from[i];
        toIds[place] = fromIds[i];
      }
      int[] swapped = from;
      from = to;
      to = swapped;
      long[] swappedIds = fromIds;
      fromIds = toIds;
      toIds = swappedIds;
    }
    return from;
  }

  /** Returns the place of the first id with each digit. */
  private static int[] firsts(long[] ids, int count, int shift) {
    int[] firsts = new int[MASK + 2];
    for (int i = 0; i < count; i++) {
      firsts[digit(ids[i], shift) + 1]++;
    }
    for (int digit = 0; digit <= MASK; digit++) {
      firsts[digit + 1] += firsts[digit];
    }
    return firsts;
  }

  private static int digit(long id, int shift) {
    return (int) (id >>> shift) & MASK;
  }
}

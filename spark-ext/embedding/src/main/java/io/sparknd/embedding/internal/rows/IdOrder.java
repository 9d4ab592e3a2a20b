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
    return directory instanceof DenseIdDirectory dense
        ? ascending(positions, Arrays.copyOf(ids, count), dense.rows() - 1)
        : positions;
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.rows.NumberedRows;
import java.util.Arrays;
import java.util.Iterator;
import java.util.stream.IntStream;

/**
 * Finds the strictly ascending runs of offsets in a partition. Runs also end at the widest gaps: a
 * task that reads several files may leave a gap for a file that another task reads.
 */
final class AscendingRuns {
  /** The most runs: more than the files that one task reads; unsorted rows soon have more. */
  static final int MAX = 512;

  private final long[] first = new long[MAX + 1];
  private final long[] last = new long[MAX + 1];
  private int count;

  /** The widest step between neighbours in a run. */
  private long step = 1;

  /** Adds the next offsets, until there are more runs than {@link #MAX}. */
  void add(long[] offsets, int n) {
    int next = 0;
    while (next < n && !isTooMany()) {
      addOne(offsets[next]);
      next = isTooMany() ? n : extended(offsets, next + 1, n);
    }
  }

  private void addOne(long offset) {
    if (count == 0 || !continues(offset - last[count - 1])) {
      first[count++] = offset;
    }
    last[count - 1] = offset;
    if (isTooMany()) {
      join();
    }
  }

  private boolean continues(long ahead) {
    return ahead > 0 && ahead <= step;
  }

  /** Extends the last run from {@code offsets[from]} on; returns where it ends. */
  private int extended(long[] offsets, int from, int n) {
    long end = last[count - 1];
    int next = from;
    while (next < n && continues(offsets[next] - end)) {
      end = offsets[next++];
    }
    last[count - 1] = end;
    return next;
  }

  private boolean isTooMany() {
    return count > MAX;
  }

  /**
   * Joins runs over the narrower gaps between them; runs that do not ascend stay apart. Joins
   * nothing if fewer than half of {@link #MAX} gaps are positive.
   */
  private void join() {
    long[] gaps =
        IntStream.range(1, count)
            .mapToLong(i -> first[i] - last[i - 1])
            .filter(gap -> gap > 0)
            .sorted()
            .toArray();
    if (gaps.length < MAX / 2) {
      return;
    }
    step = gaps[MAX / 2 - 1];
    int joined = 1;
    for (int i = 1; i < count; i++) {
      long gap = first[i] - last[joined - 1];
      if (gap <= 0 || gap > step) {
        first[joined++] = first[i];
      }
      last[joined - 1] = last[i];
    }
    count = joined;
  }

  /** Returns the first and last offset of each run. */
  long[] bounds() {
    long[] bounds = new long[2 * count];
    Arrays.setAll(bounds, i -> i % 2 == 0 ? first[i / 2] : last[i / 2]);
    return bounds;
  }

  /**
   * Returns the bounds of all runs in {@code chunks}; stops reading after more than {@link #MAX}
   * runs.
   */
  static long[] of(Iterator<NumberedRows> chunks) {
    AscendingRuns runs = new AscendingRuns();
    while (chunks.hasNext() && !runs.isTooMany()) {
      NumberedRows chunk = chunks.next();
      runs.add(chunk.numbers(), chunk.count());
    }
    return runs.bounds();
  }
}

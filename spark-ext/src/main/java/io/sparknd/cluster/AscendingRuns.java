/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import java.util.Arrays;
import java.util.Iterator;

/** The runs of offsets in a partition in which each is greater than the one before. */
final class AscendingRuns {
  /** More than the files that one task reads; what is not sorted has more at once. */
  static final int MOST = 1024;

  private long[] bounds = new long[2];
  private int count;
  private long last = Long.MAX_VALUE;

  /** Takes in the next offsets, until there are more runs than {@link #MOST}. */
  void add(long[] offsets, int n) {
    for (int i = 0; i < n && !isTooMany(); i++) {
      if (offsets[i] <= last) {
        begin(offsets[i]);
      }
      last = offsets[i];
    }
  }

  private void begin(long first) {
    end();
    if (2 * count == bounds.length) {
      bounds = Arrays.copyOf(bounds, 2 * bounds.length);
    }
    bounds[2 * count++] = first;
  }

  private void end() {
    if (count > 0) {
      bounds[2 * count - 1] = last;
    }
  }

  private boolean isTooMany() {
    return count > MOST;
  }

  /** The first and the last offset of each run. */
  long[] bounds() {
    end();
    return Arrays.copyOf(bounds, 2 * count);
  }

  /** The bounds of all runs in {@code chunks}, of which no more is read than is needed. */
  static long[] of(Iterator<UpdateChunk> chunks) {
    AscendingRuns runs = new AscendingRuns();
    while (chunks.hasNext() && !runs.isTooMany()) {
      UpdateChunk chunk = chunks.next();
      runs.add(chunk.offsets(), chunk.count());
    }
    return runs.bounds();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.SliceOffsets;
import java.util.Arrays;

/**
 * Some slots of a call, sorted by thread and by range of the tensor; slots of one range stay in
 * their order. What is done with them then goes through the tensor range by range, and each range
 * stays in the cache, and its pages in the table of pages, while it is worked on.
 */
final class SlotSort {
  /** Slots resolved at a time, so that their offsets stay in cache. */
  private static final int CHUNK = 4096;

  private final SliceOffsets offsets;
  private final SliceRangeBins ranges;
  private final int[] slices;
  private final long[] sorted;

  /** Where each bin begins in {@link #sorted}. */
  private final int[] starts;

  private final long[] chunk = new long[CHUNK];

  /**
   * @param slots at most so many are sorted at a time
   */
  SlotSort(SliceOffsets offsets, SliceRangeBins ranges, int slots) {
    this.offsets = offsets;
    this.ranges = ranges;
    this.slices = new int[slots];
    this.sorted = new long[slots];
    this.starts = new int[ranges.bins() + 2];
  }

  /**
   * Sorts slots {@code [slot, slot + count)}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the policy refuses a tuple
   */
  void sort(long slot, int count) {
    Arrays.fill(starts, 0);
    for (int done = 0; done < count; done += CHUNK) {
      int some = Math.min(CHUNK, count - done);
      offsets.resolve(slot + done, some, chunk);
      count(some, done);
    }
    // a bin's count stands two places on: placing its slots moves the place before it to its end
    for (int bin = 2; bin < starts.length; bin++) {
      starts[bin] += starts[bin - 1];
    }
    place(slot, count);
  }

  private void count(int some, int first) {
    for (int i = 0; i < some; i++) {
      int slice = (int) chunk[i];
      slices[first + i] = slice;
      if (slice >= 0) {
        starts[ranges.bin(slice) + 2]++;
      }
    }
  }

  private void place(long slot, int count) {
    int first = (int) slot;
    for (int i = 0; i < count; i++) {
      int slice = slices[i];
      if (slice >= 0) {
        sorted[starts[ranges.bin(slice) + 1]++] = (long) slice << Integer.SIZE | first + i;
      }
    }
  }

  /** The slots: the slice in the upper half, the slot in the lower one. */
  long[] sorted() {
    return sorted;
  }

  /** Where {@code bin} begins among them; it ends where the next one begins. */
  int start(int bin) {
    return starts[bin];
  }
}

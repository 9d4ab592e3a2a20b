/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import java.util.Arrays;

/**
 * Sorts slots of a call by thread and tensor range; the sort is stable. A fold can then process the
 * tensor range by range, so that each range stays in the cache, and its pages in the TLB, while it
 * is in use.
 */
final class SlotSorter {
  private final OffsetSource offsets;
  private final SliceRangeBins ranges;
  private final int[] slices;
  private final long[] sorted;

  /** The start of each bin in {@link #sorted}. */
  private final int[] starts;

  private final long[] chunk = new long[OffsetSource.CHUNK];

  /**
   * @param slots the most slots that are sorted at a time
   */
  SlotSorter(OffsetSource offsets, SliceRangeBins ranges, int slots) {
    this.offsets = offsets;
    this.ranges = ranges;
    this.slices = new int[slots];
    this.sorted = new long[slots];
    this.starts = new int[ranges.bins() + 2];
  }

  /**
   * Sorts slots {@code [slot, slot + count)}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the policy rejects an index tuple
   */
  void sort(long slot, int count) {
    Arrays.fill(starts, 0);
    for (int done = 0; done < count; done += chunk.length) {
      int some = Math.min(chunk.length, count - done);
      offsets.read(slot + done, some, chunk);
      count(some, done);
    }
    // counts are stored two entries ahead: place() advances starts[bin + 1] to the bin's end
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

  /** The sorted slots: the slice in the upper 32 bits, the slot in the lower ones. */
  long[] sorted() {
    return sorted;
  }

  /** The start of {@code bin} in {@link #sorted}; it ends at the start of the next bin. */
  int start(int bin) {
    return starts[bin];
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/**
 * Assigns the slices of a tensor to bins, one per thread and range of slices. Each thread has a
 * share of every range.
 */
final class SliceRangeBins {
  private static final int MAX_BINS = 2048;

  private final ThreadPartition[] shares;
  private final int count;
  private final int shift;

  /**
   * @param slices number of slices of the tensor, more than 0
   * @param sliceBytes bytes of a slice
   * @param rangeBytes bytes of a range per thread; ranges are larger if there would be more than
   *     {@link #MAX_BINS} bins
   */
  SliceRangeBins(long slices, long sliceBytes, int rangeBytes, int threads) {
    shares = new ThreadPartition[threads];
    for (int thread = 0; thread < threads; thread++) {
      shares[thread] = new ThreadPartition(thread, threads, sliceBytes);
    }
    long bytes = Math.max((long) rangeBytes * threads, slices * sliceBytes * threads / MAX_BINS);
    long least = Math.max(1, bytes / sliceBytes);
    shift = Long.SIZE - Long.numberOfLeadingZeros(least - 1);
    count = (int) (((slices - 1) >>> shift) + 1);
  }

  int bins() {
    return count * shares.length;
  }

  /** The number of ranges of the tensor. */
  int count() {
    return count;
  }

  int threads() {
    return shares.length;
  }

  /** The bin of a thread and range; the bins of a thread are consecutive. */
  int bin(int thread, int range) {
    return thread * count + range;
  }

  /** The bin of {@code slice}. */
  int bin(int slice) {
    return shares[0].of(slice) * count + (int) ((long) slice >>> shift); // by 32 with many threads
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/**
 * The slices of a tensor in bins: one for every thread and range of slices. Each thread has a share
 * of every range.
 */
final class SliceRangeBins {
  private static final int MOST_BINS = 2048;

  private final ThreadPartition[] shares;
  private final int count;
  private final int shift;

  /**
   * @param slices of the tensor, more than 0
   * @param sliceBytes length of a slice
   * @param rangeBytes of a range, for each thread, if there are not too many of them then
   */
  SliceRangeBins(long slices, long sliceBytes, int rangeBytes, int threads) {
    shares = new ThreadPartition[threads];
    for (int thread = 0; thread < threads; thread++) {
      shares[thread] = new ThreadPartition(thread, threads, sliceBytes);
    }
    long bytes = Math.max((long) rangeBytes * threads, slices * sliceBytes * threads / MOST_BINS);
    long least = Math.max(1, bytes / sliceBytes);
    shift = Long.SIZE - Long.numberOfLeadingZeros(least - 1);
    count = (int) ((slices - 1 >>> shift) + 1);
  }

  int bins() {
    return count * shares.length;
  }

  /** Ranges of the tensor. */
  int count() {
    return count;
  }

  int threads() {
    return shares.length;
  }

  /** The bin of range {@code range} of a thread; its bins follow each other. */
  int bin(int thread, int range) {
    return thread * count + range;
  }

  /** The bin of {@code slice}. */
  int bin(int slice) {
    return shares[0].of(slice) * count + (slice >>> shift);
  }
}

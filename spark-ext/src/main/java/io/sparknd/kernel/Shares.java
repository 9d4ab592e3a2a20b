/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

/**
 * The slices of a tensor shared out to threads, by a hash of the place of each: neighbours, which
 * share cache lines, mostly stay together, and hot low ids do not.
 */
final class Shares {
  private static final int NEIGHBOURHOOD_BYTES = 1024;

  private final int count;
  private final int shift;

  /**
   * @param count of shares
   * @param sliceBytes length of a slice
   */
  Shares(int count, long sliceBytes) {
    this.count = count;
    long slices = Math.max(1, NEIGHBOURHOOD_BYTES / Math.max(1, sliceBytes));
    this.shift = 63 - Long.numberOfLeadingZeros(slices);
  }

  int count() {
    return count;
  }

  /** Writes the share of each of {@code offsets[0 .. length)}. */
  void assign(long[] offsets, int length, int[] shares) {
    for (int i = 0; i < length; i++) {
      long hash = (offsets[i] >>> shift) * 0x9e37_79b9_7f4a_7c15L >>> 32;
      shares[i] = (int) (hash * count >>> 32);
    }
  }
}

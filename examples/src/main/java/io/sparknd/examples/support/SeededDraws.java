/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.support;

import java.util.SplittableRandom;

/** Random numbers that depend only on seed and position, so that every task draws the same. */
public final class SeededDraws {
  private static final long STRIDE = 0x9e3779b97f4a7c15L;

  private SeededDraws() {}

  /** Returns the random numbers of a position, such as step and shard. */
  public static SplittableRandom of(long seed, long... place) {
    long mixed = mixed(seed);
    for (long coordinate : place) {
      mixed = mixed(mixed + STRIDE * (coordinate + 1));
    }
    return new SplittableRandom(mixed);
  }

  /** MurmurHash3's finalizer: every bit of the result depends on all of {@code bits}. */
  private static long mixed(long bits) {
    long half = (bits ^ (bits >>> 33)) * 0xff51afd7ed558ccdL;
    half = (half ^ (half >>> 33)) * 0xc4ceb9fe1a85ec53L;
    return half ^ (half >>> 33);
  }
}

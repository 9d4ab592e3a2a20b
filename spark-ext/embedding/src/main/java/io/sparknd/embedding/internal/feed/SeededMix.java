/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

/** Makes random-looking bits of numbers; the same bits on every machine. */
final class SeededMix {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private SeededMix() {}

  /** Returns the finalizer of MurmurHash3, variant 13 of D. Stafford. */
  static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }

  /** Returns a hash of numbers; it depends on their order. */
  static long of(long... numbers) {
    long hash = 0;
    for (long number : numbers) {
      hash = and(hash, number);
    }
    return hash;
  }

  /** Combines a hash and a number; the result depends on their order. */
  static long and(long hash, long number) {
    return mix(hash * GOLDEN + mix(number + GOLDEN));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

/**
 * Random numbers for the elements of a row. Each element has its own stream of SplitMix64 (Steele
 * et al., 2014), seeded with a mix of seed, id and position.
 */
final class RandomElements {
  private static final long GOLDEN = 0x9e3779b97f4a7c15L;

  private final long row;
  private long state;

  RandomElements(long seed, long id) {
    this.row = mix(mix(seed + GOLDEN) + id * GOLDEN);
  }

  /** Starts the stream of element {@code i}. */
  void element(int i) {
    state = mix(row + i * GOLDEN);
  }

  /** Returns a number in [0, 1), a multiple of 2^-53. */
  double uniform() {
    state += GOLDEN;
    return (mix(state) >>> 11) * 0x1p-53;
  }

  /**
   * Returns a normal number with mean 0 and standard deviation 1, by the Box-Muller transform; the
   * bits are the same on every machine.
   */
  double normal() {
    double radius = Math.sqrt(-2 * StrictMath.log(1 - uniform()));
    return radius * StrictMath.cos(2 * Math.PI * uniform());
  }

  private static long mix(long bits) {
    long mixed = (bits ^ (bits >>> 30)) * 0xbf58476d1ce4e5b9L;
    mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
    return mixed ^ (mixed >>> 31);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

/**
 * Reads the cache lines of a slice before they are needed. Out-of-order execution covers only a few
 * slices; with these reads, lines of later slices load in the meantime. {@link FloatPrefetch} and
 * the classes that are generated from it read arrays of one type each.
 */
final class Prefetch {
  /** How many slices ahead of the current one to read. */
  static final int AHEAD = 8;

  static final int LINE_BYTES = 64;

  private Prefetch() {}

  static int bits(float unit) {
    return Float.floatToRawIntBits(unit);
  }

  static int bits(double unit) {
    return (int) Double.doubleToRawLongBits(unit);
  }

  static int bits(long unit) {
    return (int) unit;
  }

  /** Returns the bits of an int, short or byte. */
  static int bits(int unit) {
    return unit;
  }
}

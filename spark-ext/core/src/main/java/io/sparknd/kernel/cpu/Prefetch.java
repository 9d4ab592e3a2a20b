/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Reads the cache lines of a slice before they are needed. Where out-of-order execution covers only
 * a few slices, lines of later slices load in the meantime; elsewhere the reads cost more than they
 * save. {@link FloatPrefetch} and the classes that are generated from it read arrays of one type
 * each.
 */
final class Prefetch {
  /** How many slices ahead of the current one to read. */
  static final int AHEAD = 8;

  static final int LINE_BYTES = 64;

  /** {@code true} or {@code false}; anything else leaves the choice to the CPU. */
  static final String PROPERTY = "sparknd.kernel.readAhead";

  /** A constant for the compiler, which drops the reads where they are off. */
  static final boolean IS_ON = isOn(System.getProperty(PROPERTY), ProcessorVendor.name());

  private Prefetch() {}

  /**
   * Returns whether slices are read ahead.
   *
   * @param setting value of {@link #PROPERTY}; null if it is not set
   * @param vendor vendor of the CPU. Measured: reading ahead saves time on an Intel Xeon, and costs
   *     on an AMD EPYC
   */
  static boolean isOn(@Nullable String setting, Optional<String> vendor) {
    boolean isIntel = vendor.filter(ProcessorVendor.INTEL::equals).isPresent();
    return "true".equals(setting) || isIntel && !"false".equals(setting);
  }

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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

/**
 * Reading one unit of a slice some turns before its own, so that its cache lines are on their way
 * when they are needed. The compiler drops a read whose value nobody uses, hence {@link #keep}.
 */
final class Touch {
  /** How many slices ahead. */
  static final int AHEAD = 8;

  @SuppressWarnings("UnusedVariable")
  private static double kept;

  private Touch() {}

  /** Once a chunk; threads may overwrite each other's value, which is never read. */
  static void keep(double touched) {
    kept = touched;
  }
}

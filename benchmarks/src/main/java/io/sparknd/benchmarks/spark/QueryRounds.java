/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

/**
 * How often a piece of work is done.
 *
 * @param warmups rounds that do not count
 * @param rounds that count, at least one
 */
record QueryRounds(int warmups, int rounds) {
  /** For work of some milliseconds, which users do thousands of times in one JVM. */
  static final QueryRounds STEPS = new QueryRounds(150, 101);

  /** For work of minutes. */
  static final QueryRounds ONCE = new QueryRounds(0, 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

/**
 * The number of rounds of a benchmark.
 *
 * @param warmups unmeasured rounds
 * @param rounds measured rounds, at least one
 */
record QueryRounds(int warmups, int rounds) {
  /** For benchmarks of some milliseconds, which users run thousands of times per JVM. */
  static final QueryRounds STEPS = new QueryRounds(150, 101);

  /** For benchmarks of minutes. */
  static final QueryRounds ONCE = new QueryRounds(0, 1);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

/** What a benchmark does with one row of the updates or of the result, and one slice. */
@FunctionalInterface
interface RowStep {
  /**
   * Copies or adds {@code from[p .. p + units)} to {@code to[q .. q + units)}.
   *
   * @param from an array of the benchmark's storage
   * @param to an array of the same storage
   */
  void apply(Object from, int p, Object to, int q, int units);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

/**
 * One way to write a loop in Spark whose steps add rows to a table in memory.
 *
 * @param <S> a version of the table
 */
interface StepForm<S> {
  String name();

  /** Returns the first version, in memory. */
  S first();

  /** Returns the version after a step, in memory. */
  S next(S version);

  /** The sum of all elements. */
  double sum(S version);

  /** Frees the memory of a version. */
  void free(S version);
}

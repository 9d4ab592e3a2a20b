/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

/**
 * The cost of one or more commits and of the first read after them.
 *
 * @param read milliseconds of reading every value
 */
record KeyedCost(Cost commit, double read) {

  double millis() {
    return commit.millis();
  }

  /** The milliseconds of all commits and the read. */
  double withRead() {
    return commit.millis() + read;
  }
}

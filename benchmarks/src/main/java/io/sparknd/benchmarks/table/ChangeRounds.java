/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

/**
 * The number of rounds of a change.
 *
 * @param warmups unmeasured rounds, at least one
 * @param rounds measured rounds
 * @param reads scans of the table after ten commits; 0 skips these commits
 */
record ChangeRounds(int warmups, int rounds, int reads) {

  /** Returns the same rounds without the ten commits. */
  ChangeRounds withoutReads() {
    return new ChangeRounds(warmups, rounds, 0);
  }
}

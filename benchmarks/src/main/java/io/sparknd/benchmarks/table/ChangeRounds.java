/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

/**
 * How often a change is made.
 *
 * @param warmups rounds that do not count, one at least
 * @param rounds that count
 * @param reads of the table after ten commits; 0 for no such commits
 */
record ChangeRounds(int warmups, int rounds, int reads) {

  /** The same without the ten commits. */
  ChangeRounds withoutReads() {
    return new ChangeRounds(warmups, rounds, 0);
  }
}

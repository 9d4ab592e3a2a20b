/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

/**
 * How much work.
 *
 * @param rows of 64 float32 in the table, and updates to it
 * @param cells of the tensor of scalars; a tenth as many updates
 * @param exchanged updates that the exchange moves
 * @param pace how often the work is done
 */
record Size(int rows, int cells, int exchanged, QueryRounds pace) {
  static final int WIDTH = 64;
  static final Size FULL = new Size(1_000_000, 20_000_000, 2_000_000, new QueryRounds(3, 9));
  static final Size QUICK = new Size(100_000, 2_000_000, 400_000, new QueryRounds(1, 3));

  int cellUpdates() {
    return cells / 10;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

/**
 * The size of the benchmarks.
 *
 * @param rows the rows of 64 float32 of the table, and the number of updates to it
 * @param cells the elements of the scalar tensor, which gets a tenth as many updates
 * @param exchanged the updates of the exchange benchmark
 * @param pace the number of rounds
 */
record Size(int rows, int cells, int exchanged, QueryRounds pace) {
  static final int WIDTH = 64;
  static final Size FULL = new Size(1_000_000, 20_000_000, 2_000_000, new QueryRounds(3, 9));
  static final Size QUICK = new Size(100_000, 2_000_000, 400_000, new QueryRounds(1, 3));

  /**
   * Returns the size for a table of {@code rows}, which is not measured in rounds; everything else
   * is in proportion.
   */
  static Size ofRows(int rows) {
    return new Size(rows, 20 * rows, 2 * rows, QueryRounds.ONCE);
  }

  int cellUpdates() {
    return cells / 10;
  }
}

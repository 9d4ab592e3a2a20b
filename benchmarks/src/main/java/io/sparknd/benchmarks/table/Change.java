/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.table;

import java.util.Locale;

/**
 * A change of a table of rows of 64 float32.
 *
 * @param rows the rows of the table
 * @param percent the percentage of rows that are updated
 */
record Change(Layout layout, int rows, UpdatedKeys keys, int percent, Reduction reduction) {

  /** The effect of an update on its row. */
  enum Reduction {
    NONE,
    ADD;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  int updates() {
    return (int) ((long) rows * percent / 100);
  }

  /** Such as {@code 1M-array-uniform-1-none}. */
  String id() {
    return String.join(
        "-",
        rows / 1_000_000 + "M",
        layout.toString(),
        keys.toString(),
        Integer.toString(percent),
        reduction.toString());
  }

  /** The highest ratio of our time to the fastest MERGE's that meets the goal. */
  double goal() {
    return keys == UpdatedKeys.UNIFORM && percent > 1 ? 1 / 2.0 : 1 / 3.0;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.util.List;
import java.util.stream.Stream;

/**
 * The arrays of the shards of a {@link LocalLoop}, which its runs use one after the other.
 *
 * @param budget what their rows may take together
 */
record LocalArrays(RowBudget budget, List<ShardArrays> byShard) {
  /**
   * Makes empty arrays.
   *
   * @param bytes the most bytes of rows; gradients have as many
   */
  static LocalArrays of(long bytes, int shards, int tables) {
    RowBudget budget = new RowBudget(bytes);
    return new LocalArrays(
        budget, Stream.generate(() -> new ShardArrays(tables, budget)).limit(shards).toList());
  }
}

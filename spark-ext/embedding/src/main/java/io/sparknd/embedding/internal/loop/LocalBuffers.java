/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import java.util.List;
import java.util.stream.Stream;

/**
 * The buffers of the shards of a {@link LocalLoop}, which its runs use one after the other.
 *
 * @param budget what their rows may take together
 */
record LocalBuffers(RowBudget budget, List<ShardBuffers> byShard) {
  /**
   * Makes empty buffers.
   *
   * @param bytes the most bytes of the rows of all shards; see {@link LocalLimits#rowBytes}
   */
  static LocalBuffers of(long bytes, int shards, int tables) {
    RowBudget budget = new RowBudget(bytes);
    return new LocalBuffers(
        budget, Stream.generate(() -> new ShardBuffers(tables, budget)).limit(shards).toList());
  }

  /** Releases the memory. */
  void release() {
    byShard.forEach(ShardBuffers::release);
  }
}

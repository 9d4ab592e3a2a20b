/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.embedding.lifecycle.EvictionOrder;
import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.LongStream;

/**
 * Separates rows that are evicted from those that stay: rows go whose rank is lower, or equal with
 * a lower id.
 */
public record RankThreshold(EvictionOrder order, long rank, long id) implements Serializable {

  /** Returns the threshold of rows with lower ranks, whatever their ids. */
  public static RankThreshold below(EvictionOrder order, long rank) {
    return new RankThreshold(order, rank, Long.MIN_VALUE);
  }

  /** Returns the ids of a partition's updated rows below the threshold, ascending. */
  public long[] ids(EmbeddingPartition partition, RowLayout layout, RowDirectory directory) {
    LongStream.Builder ids = LongStream.builder();
    UpdatedRows.visit(
        partition,
        layout,
        directory,
        (other, block, at) -> {
          if (isAbove(RowRank.of(order, block, at, layout), other)) {
            ids.add(other);
          }
        });
    long[] all = ids.build().toArray();
    Arrays.sort(all);
    return all;
  }

  private boolean isAbove(long otherRank, long other) {
    return otherRank < rank || otherRank == rank && other < id;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.internal.EmbeddingErrors;
import io.sparknd.embedding.internal.rows.RankRange;
import io.sparknd.embedding.internal.rows.RankThreshold;
import io.sparknd.embedding.internal.rows.RowDirectory;
import io.sparknd.embedding.internal.rows.RowLayout;
import io.sparknd.embedding.lifecycle.EvictionOrder;
import io.sparknd.embedding.lifecycle.RowEviction;
import io.sparknd.embedding.lifecycle.RowUsage;

/**
 * Finds the rank below which an eviction removes rows. For a bound, this is a radix selection over
 * all partitions: at most eight jobs, each of which counts rows by 16 bits of their ranks, and no
 * row leaves its partition.
 */
final class EvictionThresholds {
  private final EmbeddingTable table;

  EvictionThresholds(EmbeddingTable table) {
    this.table = table;
  }

  /**
   * Returns the threshold of an eviction.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table lacks the usage that it needs
   */
  RankThreshold of(RowEviction eviction) {
    if (eviction instanceof RowEviction.Idle idle) {
      checked(EvictionOrder.LEAST_RECENT);
      return RankThreshold.below(EvictionOrder.LEAST_RECENT, table.steps() - idle.steps());
    }
    if (eviction instanceof RowEviction.Rare rare) {
      checked(EvictionOrder.LEAST_FREQUENT);
      return RankThreshold.below(EvictionOrder.LEAST_FREQUENT, rare.updates());
    }
    if (eviction instanceof RowEviction.Small small) {
      checked(EvictionOrder.SMALLEST);
      return RankThreshold.below(EvictionOrder.SMALLEST, Double.doubleToLongBits(small.norm()));
    }
    if (eviction instanceof RowEviction.RowBound bound) {
      return bounded(bound.rows(), checked(bound.order()));
    }
    RowEviction.ByteBound bound = (RowEviction.ByteBound) eviction;
    return bounded(bound.bytes() / table.layout().bytesWithId(), checked(bound.order()));
  }

  private EvictionOrder checked(EvictionOrder order) {
    boolean isEnough = table.spec().isKeyed() && order == EvictionOrder.SMALLEST;
    if (!isEnough && table.spec().usage() == RowUsage.NOTHING) {
      throw EmbeddingErrors.noRowUsage(
          order == EvictionOrder.SMALLEST
              ? "eviction from a table whose ids are numbers"
              : "eviction in the order " + order);
    }
    return order;
  }

  private RankThreshold bounded(long rows, EvictionOrder order) {
    if (rows == 0) {
      return RankThreshold.below(order, Long.MAX_VALUE);
    }
    long excess = table.writtenRows() - rows;
    RankRange range = RankRange.all(order);
    while (excess > 0) {
      long[] counts = counts(range);
      int digit = 0;
      while (excess >= counts[digit]) {
        excess -= counts[digit++];
      }
      range = range.narrowed(digit);
    }
    return range.first();
  }

  private long[] counts(RankRange range) {
    RowLayout layout = table.layout();
    RowDirectory directory = table.directory();
    try {
      return table.read(
          all ->
              all.map(partition -> range.counts(partition, layout, directory))
                  .treeReduce(EvictionThresholds::sum));
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private static long[] sum(long[] one, long[] other) {
    long[] sum = one.clone();
    for (int i = 0; i < sum.length; i++) {
      sum[i] += other[i];
    }
    return sum;
  }
}

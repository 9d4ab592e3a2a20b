/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.gather;

import io.sparknd.cluster.Strategy;
import io.sparknd.cluster.layout.TensorBlocks;
import io.sparknd.cluster.spark.QuerySize;
import io.sparknd.cluster.spark.SparkNdSetting;

/**
 * The strategy chosen for one gather.
 *
 * @param asked the strategy that the tensor or the session requests
 * @param strategy the chosen strategy; not AUTO
 */
record StrategyChoice(Strategy asked, Strategy strategy) {
  /** Bytes of index rows beyond which a shuffle was measured to be faster than a broadcast. */
  private static final long FEW_BYTES = 1 << 20;

  static StrategyChoice of(RowGather gather) {
    Strategy asked = asked(gather);
    Strategy chosen = asked == Strategy.AUTO ? bySize(gather) : asked;
    return new StrategyChoice(asked, possible(gather, chosen));
  }

  /** Returns whether the choice is based on an estimate. */
  boolean isGuess() {
    return asked == Strategy.AUTO;
  }

  /** Returns a replacement for a choice whose estimate was wrong. */
  StrategyChoice instead(Strategy other) {
    return new StrategyChoice(asked, other);
  }

  private static Strategy asked(RowGather gather) {
    if (gather.asked() != Strategy.AUTO) {
      return gather.asked();
    }
    return Strategy.named(SparkNdSetting.STRATEGY.in(gather.tensor().spark()));
  }

  private static Strategy bySize(RowGather gather) {
    long most = QuerySize.broadcastThreshold(gather.tensor().spark());
    long tensor = gather.tensor().layout().bytes();
    if (QuerySize.estimate(gather.rows()) <= Math.min(few(gather.tensor()), tensor)) {
      return Strategy.BROADCAST_INDICES;
    }
    return tensor <= most ? Strategy.BROADCAST_TENSOR : Strategy.SHUFFLE_INDICES;
  }

  /** Returns the most bytes of index rows, by the planner's estimate, that AUTO broadcasts. */
  static long few(TensorBlocks tensor) {
    return Math.min(FEW_BYTES, QuerySize.broadcastThreshold(tensor.spark()));
  }

  /**
   * Returns {@code SHUFFLE_SLICES} in place of a strategy that moves rows to slices if slices are
   * larger than a block, and so span several partitions.
   */
  private static Strategy possible(RowGather gather, Strategy chosen) {
    boolean slicesStay = chosen == Strategy.SHUFFLE_INDICES || chosen == Strategy.BROADCAST_INDICES;
    boolean whole = gather.join().pieces().perSlice() == 1;
    return whole || !slicesStay ? chosen : Strategy.SHUFFLE_SLICES;
  }

  /** Returns the text for the log. */
  @Override
  public String toString() {
    return strategy == asked ? strategy.toString() : strategy + " (asked for: " + asked + ")";
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.scan.TablePlan;
import io.sparknd.cluster.internal.spark.QuerySize;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.options.GatherStrategy;
import io.sparknd.tensor.DType;

/**
 * The strategy chosen for one gather.
 *
 * @param requested the strategy that the tensor or the session requests
 * @param strategy the chosen strategy; not AUTO
 */
record StrategyChoice(GatherStrategy requested, GatherStrategy strategy) {
  /** Bytes of index rows beyond which a shuffle was measured to be faster than a broadcast. */
  private static final long FEW_BYTES = 1 << 20;

  static StrategyChoice of(RowGather gather) {
    GatherStrategy requested = requested(gather);
    GatherStrategy chosen = requested == GatherStrategy.AUTO ? bySize(gather) : requested;
    return new StrategyChoice(requested, possible(gather, chosen));
  }

  /** Returns whether the choice is based on an estimate. */
  boolean isEstimated() {
    return requested == GatherStrategy.AUTO;
  }

  /** Returns a replacement for a choice whose estimate was wrong. */
  StrategyChoice instead(GatherStrategy other) {
    return new StrategyChoice(requested, other);
  }

  private static GatherStrategy requested(RowGather gather) {
    if (gather.requested() != GatherStrategy.AUTO) {
      return gather.requested();
    }
    return GatherStrategy.named(SparkNdSetting.STRATEGY.in(gather.tensor().spark()));
  }

  private static GatherStrategy bySize(RowGather gather) {
    if (TablePlan.isObserved(gather.rows())) {
      return GatherStrategy.SHUFFLE_INDICES; // reads rows once
    }
    long most = QuerySize.broadcastThreshold(gather.tensor().spark());
    long tensor = gather.tensor().layout().bytes();
    if (QuerySize.estimate(gather.rows()) <= Math.min(maxBroadcastBytes(gather.tensor()), tensor)) {
      return GatherStrategy.BROADCAST_INDICES;
    }
    // of strings only the number is known
    boolean isSmall = tensor <= most && gather.tensor().dtype() != DType.STRING;
    return isSmall ? GatherStrategy.BROADCAST_TENSOR : GatherStrategy.SHUFFLE_INDICES;
  }

  /** Returns the most bytes of index rows, by the planner's estimate, that AUTO broadcasts. */
  static long maxBroadcastBytes(TensorBlocks tensor) {
    return Math.min(FEW_BYTES, QuerySize.broadcastThreshold(tensor.spark()));
  }

  /**
   * Returns {@code SHUFFLE_SLICES} in place of a strategy that moves rows to slices if slices are
   * larger than a block, and so span several partitions.
   */
  private static GatherStrategy possible(RowGather gather, GatherStrategy chosen) {
    boolean slicesStay =
        chosen == GatherStrategy.SHUFFLE_INDICES || chosen == GatherStrategy.BROADCAST_INDICES;
    boolean whole = gather.join().pieces().perSlice() == 1;
    return whole || !slicesStay ? chosen : GatherStrategy.SHUFFLE_SLICES;
  }

  /** Returns the text for the log. */
  @Override
  public String toString() {
    return strategy == requested
        ? strategy.toString()
        : strategy + " (requested: " + requested + ")";
  }
}

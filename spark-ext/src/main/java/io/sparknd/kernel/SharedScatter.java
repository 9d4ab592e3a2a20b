/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import io.sparknd.op.Offsets;
import java.util.Arrays;
import java.util.function.Supplier;

/**
 * A scatter on several threads. Together they deal a window of updates out to the shares of the
 * tensor, each thread a run of its own; then each applies one share, run after run. So the updates
 * of a slice stay in their order, and no thread looks at all of them.
 */
final class SharedScatter {
  /** Slots that a thread deals at a time: a bound for memory. */
  static final int RUN = Integer.getInteger("run", 1 << 18);

  private final Offsets offsets;
  private final long slots;
  private final int run;
  private final Deal[] deals;
  private final SliceFold[] folds;

  /**
   * @param run slots that a thread deals at a time
   * @param folds makes the fold of a share
   */
  SharedScatter(Offsets offsets, long slots, Shares shares, int run, Supplier<SliceFold> folds) {
    this.offsets = offsets;
    this.slots = slots;
    this.run = (int) Math.min(run, -Math.floorDiv(-slots, shares.count()));
    this.deals = new Deal[shares.count()];
    this.folds = new SliceFold[shares.count()];
    Arrays.setAll(deals, thread -> new Deal(shares, this.run));
    Arrays.setAll(this.folds, share -> folds.get());
  }

  /**
   * Applies {@code updates}. Every index is checked before the first write.
   *
   * @throws io.sparknd.tensor.SparkNdException if the policy refuses a tuple
   */
  void apply(Object updates) {
    long window = (long) run * deals.length;
    if (slots > window) {
      inRuns(0, slots, (thread, from, to) -> offsets.check(from, to));
    }
    for (long slot = 0; slot < slots; slot += window) {
      long end = Math.min(slots, slot + window);
      inRuns(slot, end, (thread, from, to) -> deals[thread].deal(offsets, from, to));
      Workers.run(folds.length, share -> applyShare(share, updates));
    }
    Workers.run(folds.length, share -> folds[share].finish());
  }

  private void applyShare(int share, Object updates) {
    for (Deal deal : deals) {
      deal.apply(share, folds[share], updates);
    }
  }

  /** What a thread does with its run of slots. */
  @FunctionalInterface
  private interface RunOfSlots {
    void accept(int thread, long from, long to);
  }

  private void inRuns(long from, long to, RunOfSlots work) {
    long step = -Math.floorDiv(from - to, deals.length);
    Workers.run(
        deals.length,
        thread -> {
          long first = Math.min(to, from + thread * step);
          work.accept(thread, first, Math.min(to, first + step));
        });
  }
}

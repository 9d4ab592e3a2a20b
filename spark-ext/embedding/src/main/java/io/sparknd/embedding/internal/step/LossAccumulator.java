/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentSkipListSet;
import org.apache.spark.SparkContext;
import org.apache.spark.util.AccumulatorV2;

/**
 * An accumulator of losses by step. Losses are stored by step and shard, so a task that runs twice,
 * after a failure or by speculative execution, counts once. Sums are in shard order, so they are
 * bit-identical in every run.
 */
final class LossAccumulator extends AccumulatorV2<LossAccumulator.Part, Map<Long, Loss>> {
  private static final long serialVersionUID = 1;

  /** The loss of one shard's part of a mini-batch. */
  record Part(long step, int shard, Loss loss) implements Serializable, Comparable<Part> {
    @Override
    public int compareTo(Part other) {
      int byStep = Long.compare(step, other.step);
      return byStep != 0 ? byStep : Integer.compare(shard, other.shard);
    }
  }

  // concurrent: the executor's heartbeat serializes it while the task adds to it
  private final Set<Part> parts = new ConcurrentSkipListSet<>();

  private LossAccumulator() {}

  /** Returns an accumulator for the tasks of this JVM, to which they add by reference. */
  static LossAccumulator inMemory() {
    return new LossAccumulator();
  }

  static LossAccumulator registered(SparkContext context) {
    LossAccumulator accumulator = new LossAccumulator();
    context.register(accumulator, "sparknd loss");
    return accumulator;
  }

  void add(long step, int shard, Loss loss) {
    add(new Part(step, shard, loss));
  }

  @Override
  public void add(Part part) {
    parts.add(part);
  }

  @Override
  public void merge(AccumulatorV2<Part, Map<Long, Loss>> other) {
    ((LossAccumulator) other).parts.forEach(this::add);
  }

  @Override
  public boolean isZero() {
    return parts.isEmpty();
  }

  @Override
  public AccumulatorV2<Part, Map<Long, Loss>> copy() {
    LossAccumulator copy = new LossAccumulator();
    copy.merge(this);
    return copy;
  }

  @Override
  public void reset() {
    parts.clear();
  }

  /** Returns the losses by step. */
  @Override
  public Map<Long, Loss> value() {
    Map<Long, Loss> losses = new TreeMap<>();
    parts.forEach(part -> losses.merge(part.step(), part.loss(), Loss::and));
    return losses;
  }
}

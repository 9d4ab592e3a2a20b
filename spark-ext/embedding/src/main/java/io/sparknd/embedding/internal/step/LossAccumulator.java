/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

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
public final class LossAccumulator extends AccumulatorV2<LossAccumulator.Part, Map<Long, LossSum>> {
  private static final long serialVersionUID = 1;

  /** The loss of one shard's part of a mini-batch. */
  public record Part(long step, int shard, LossSum loss) implements Serializable, Comparable<Part> {
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
  public static LossAccumulator inMemory() {
    return new LossAccumulator();
  }

  public static LossAccumulator registered(SparkContext context) {
    LossAccumulator accumulator = new LossAccumulator();
    // without a name: of one with a name, Spark keeps all values for each ended task
    context.register(accumulator);
    return accumulator;
  }

  public void add(long step, int shard, LossSum loss) {
    add(new Part(step, shard, loss));
  }

  @Override
  public void add(Part part) {
    parts.add(part);
  }

  @Override
  public void merge(AccumulatorV2<Part, Map<Long, LossSum>> other) {
    ((LossAccumulator) other).parts.forEach(this::add);
  }

  @Override
  public boolean isZero() {
    return parts.isEmpty();
  }

  @Override
  public AccumulatorV2<Part, Map<Long, LossSum>> copy() {
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
  public Map<Long, LossSum> value() {
    Map<Long, LossSum> losses = new TreeMap<>();
    parts.forEach(part -> losses.merge(part.step(), part.loss(), LossSum::plus));
    return losses;
  }
}

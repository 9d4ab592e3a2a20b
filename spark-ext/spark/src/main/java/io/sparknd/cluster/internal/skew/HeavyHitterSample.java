/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import io.sparknd.cluster.internal.shuffle.DestinationSampler;
import io.sparknd.cluster.internal.shuffle.ScatterMetricsAccumulator;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Samples the pieces that the updates of a task name, for each owning partition. A piece that
 * repeats in the sample is hot. Counting every update would cost as much as sending a scalar, and a
 * few hundred samples reveal what makes a partition slow.
 */
public final class HeavyHitterSample implements DestinationSampler {
  /** If there are more partitions than this, hot slices are not searched for. */
  public static final int MAX_PARTITIONS = 4096;

  /** Pieces in all samples of a task: a megabyte. */
  private static final int ROOM = 1 << 17;

  private static final int LARGEST = 1024;

  /** Occurrences that make a piece count as repeated once the sample is thinned. */
  private static final int REPEATS = 4;

  private final long[] updates;
  private final OwnerSample[] samples;
  private final int capacity;
  private final SplittableRandom random = new SplittableRandom(1);

  public HeavyHitterSample(int partitions) {
    this.updates = new long[partitions];
    this.samples = new OwnerSample[partitions];
    this.capacity = Math.min(LARGEST, ROOM / partitions);
  }

  @Override
  public void observe(int owner, long[] locals, int count) {
    if (samples[owner] == null) {
      samples[owner] = new OwnerSample();
    }
    updates[owner] += count;
    samples[owner].observe(locals, count);
  }

  @Override
  public ScatterMetricsAccumulator.DestinationSample sample(int source) {
    List<HeavyHitter> repeated = new ArrayList<>();
    for (int owner = 0; owner < samples.length; owner++) {
      if (samples[owner] != null) {
        samples[owner].addRepeated(owner, repeated);
      }
    }
    return new ScatterMetricsAccumulator.DestinationSample(
        source,
        updates.clone(),
        repeated.stream().mapToInt(HeavyHitter::owner).toArray(),
        repeated.stream().mapToLong(HeavyHitter::local).toArray(),
        repeated.stream().mapToLong(HeavyHitter::weight).toArray());
  }

  /** A sample that takes every update at first; whenever it is full, it drops every second one. */
  private final class OwnerSample {
    private static final int FIRST = 32;

    private long[] sampled = new long[Math.min(FIRST, capacity)];
    private int count;
    private int gap = 1;
    private long next;

    /** Samples updates at random gaps, since fixed gaps would miss pieces in a regular order. */
    void observe(long[] locals, int seen) {
      while (next < seen) {
        if (count == sampled.length) {
          makeRoom();
        }
        sampled[count++] = locals[(int) next];
        next += gap == 1 ? 1 : 1 + random.nextInt(2 * gap - 1);
      }
      next -= seen;
    }

    private void makeRoom() {
      if (count < capacity) {
        sampled = Arrays.copyOf(sampled, Math.min(4 * count, capacity));
        return;
      }
      for (int i = 0; 2 * i < count; i++) {
        sampled[i] = sampled[2 * i];
      }
      count = count + 1 >> 1;
      gap *= 2;
    }

    void addRepeated(int owner, List<HeavyHitter> repeated) {
      Arrays.sort(sampled, 0, count);
      for (int from = 0, end; from < count; from = end) {
        end = endOfRun(from);
        if (end - from >= (gap == 1 ? 2 : REPEATS)) {
          long weight = (end - from) * updates[owner] / count;
          repeated.add(new HeavyHitter(owner, sampled[from], weight));
        }
      }
    }

    private int endOfRun(int from) {
      int end = from + 1;
      while (end < count && sampled[end] == sampled[from]) {
        end++;
      }
      return end;
    }
  }
}

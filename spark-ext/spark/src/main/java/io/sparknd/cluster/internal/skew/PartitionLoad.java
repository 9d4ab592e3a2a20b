/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.skew;

import io.sparknd.cluster.internal.shuffle.ScatterMetricsAccumulator;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * The distribution of a scatter's updates over the partitions, and the repeated pieces of each.
 *
 * @param updates updates of pieces, for each partition
 * @param repeated pieces that were sampled more than once, for each partition by descending weight
 */
public record PartitionLoad(long[] updates, List<List<HeavyHitter>> repeated) {
  /** A partition is overloaded if it has more than this many times the median updates. */
  private static final double TOO_MUCH = 1.5;

  /** Hot pieces are split off until a partition has at most this many times the median updates. */
  private static final double ENOUGH = 1.25;

  /** Skip unless at least 1/WORTH of the excess over the median is removed. */
  private static final int WORTH = 4;

  /** Maximum bytes of hot pieces, which pass through the driver twice. */
  private static final long MAX_BYTES = 64L << 20;

  public static PartitionLoad of(
      int partitions, Collection<ScatterMetricsAccumulator.DestinationSample> samples) {
    long[] updates = new long[partitions];
    List<Map<Long, Long>> weights = new ArrayList<>();
    for (int owner = 0; owner < partitions; owner++) {
      weights.add(new HashMap<>());
    }
    for (ScatterMetricsAccumulator.DestinationSample task : samples) {
      for (int owner = 0; owner < partitions; owner++) {
        updates[owner] += task.updates()[owner];
      }
      for (int i = 0; i < task.owners().length; i++) {
        weights.get(task.owners()[i]).merge(task.pieces()[i], task.weights()[i], Long::sum);
      }
    }
    List<List<HeavyHitter>> repeated = new ArrayList<>();
    for (int owner = 0; owner < partitions; owner++) {
      repeated.add(sorted(owner, weights.get(owner)));
    }
    return new PartitionLoad(updates, repeated);
  }

  private static List<HeavyHitter> sorted(int owner, Map<Long, Long> weights) {
    return weights.entrySet().stream()
        .map(piece -> new HeavyHitter(owner, piece.getKey(), piece.getValue()))
        .sorted(byWeight())
        .toList();
  }

  private static Comparator<HeavyHitter> byWeight() {
    return Comparator.comparingLong(HeavyHitter::weight)
        .reversed()
        .thenComparingInt(HeavyHitter::owner)
        .thenComparingLong(HeavyHitter::local);
  }

  int partitions() {
    return updates.length;
  }

  private long median() {
    return LongStream.of(updates).sorted().toArray()[updates.length / 2];
  }

  /**
   * Returns the pieces to split off so that no partition is overloaded, as far as repeated pieces
   * allow. Returns all repeated pieces if {@code policy} always splits, none if it predicts no
   * gain.
   *
   * @param pieceBytes the bytes of one piece
   */
  List<HeavyHitter> hot(SkewPolicy policy, long pieceBytes) {
    List<HeavyHitter> hot = new ArrayList<>();
    long median = median();
    for (int owner = 0; owner < updates.length; owner++) {
      if (policy.isAlways()) {
        hot.addAll(repeated.get(owner));
      } else if (updates[owner] > TOO_MUCH * median) {
        hot.addAll(relief(owner, median));
      }
    }
    hot.sort(byWeight());
    long again =
        hot.stream().mapToInt(HeavyHitter::owner).distinct().mapToLong(i -> updates[i]).sum();
    long all = LongStream.of(updates).sum();
    long each = Long.BYTES + pieceBytes;
    return policy.pays(all * each, most() * each, median * each, again * each)
        ? hot.subList(0, (int) Math.min(hot.size(), MAX_BYTES / pieceBytes))
        : List.of();
  }

  /**
   * Returns the number of tasks for the hot pieces, if each gets about the median of a partition.
   */
  int tasks(List<HeavyHitter> hot) {
    long weight = hot.stream().mapToLong(HeavyHitter::weight).sum();
    long each = Math.max(1, median());
    return (int) Math.max(1, Math.min(updates.length, -Math.floorDiv(-weight, each)));
  }

  /** Returns the most updates of pieces of any partition. */
  public long most() {
    return LongStream.of(updates).max().orElse(0);
  }

  private List<HeavyHitter> relief(int owner, long median) {
    List<HeavyHitter> relief = new ArrayList<>();
    long left = updates[owner];
    for (HeavyHitter piece : repeated.get(owner)) {
      if (left > ENOUGH * median) {
        relief.add(piece);
        left -= piece.weight();
      }
    }
    long over = updates[owner] - median;
    return WORTH * (updates[owner] - left) >= over ? relief : List.of();
  }
}

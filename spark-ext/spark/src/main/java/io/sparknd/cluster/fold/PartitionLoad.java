/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.fold;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/**
 * How the updates of a scatter lie over the partitions, and which pieces of slices make the full
 * ones full.
 *
 * @param updates of pieces, for each partition
 * @param repeated pieces that were seen more than once, for each partition by falling weight
 */
record PartitionLoad(long[] updates, List<List<HeavyHitter>> repeated) {
  /** A partition has too much from this many times the median on... */
  private static final double TOO_MUCH = 1.5;

  /** ... and is relieved until it has no more than this many times the median. */
  private static final double ENOUGH = 1.25;

  /** Relief that is no such part of what is too much is not worth sending the updates again. */
  private static final int WORTH = 4;

  /** Bytes of hot pieces, which go to the driver and back. */
  private static final long MOST_BYTES = 64L << 20;

  static PartitionLoad of(int partitions, Collection<ScatterMetricsAccumulator.Seen> seen) {
    long[] updates = new long[partitions];
    List<Map<Long, Long>> weights = new ArrayList<>();
    for (int owner = 0; owner < partitions; owner++) {
      weights.add(new HashMap<>());
    }
    for (ScatterMetricsAccumulator.Seen task : seen) {
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

  private long median() {
    return LongStream.of(updates).sorted().toArray()[updates.length / 2];
  }

  /**
   * The pieces without which no partition would have too much, as far as that goes; none where
   * {@code policy} says that it is not worth while.
   *
   * @param pieceBytes of one piece
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
        ? hot.subList(0, (int) Math.min(hot.size(), MOST_BYTES / pieceBytes))
        : List.of();
  }

  /** Tasks that hot pieces are enough for, if each gets about what a partition gets. */
  int tasks(List<HeavyHitter> hot) {
    long weight = hot.stream().mapToLong(HeavyHitter::weight).sum();
    long each = Math.max(1, median());
    return (int) Math.max(1, Math.min(updates.length, -Math.floorDiv(-weight, each)));
  }

  /** Most updates of pieces that a partition has. */
  long most() {
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

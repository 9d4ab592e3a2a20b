/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tests the order of rows in epochs. */
class EpochOrderTest {
  /** A row of a chunk. */
  private record Place(int chunk, int row) {}

  private static List<Place> step(EpochOrder order, long step) {
    EpochOrder.Picks picks = order.picks(step);
    return IntStream.range(0, picks.rows().length)
        .mapToObj(i -> new Place(picks.chunks()[i], picks.rows()[i]))
        .toList();
  }

  private static List<Place> epoch(EpochOrder order, long epoch) {
    List<Place> all = new ArrayList<>();
    for (long step = epoch * order.steps(); step < (epoch + 1) * order.steps(); step++) {
      all.addAll(step(order, step));
    }
    return all;
  }

  private static int[] chunks(long seed, int most) {
    SplittableRandom random = new SplittableRandom(seed);
    return random.ints(random.nextInt(1, most), 0, 40).toArray();
  }

  @Property(tries = 200)
  void eachEpochHasEachRowOnce(@ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int steps) {
    int[] chunks = chunks(seed, 30);
    EpochOrder order = new EpochOrder(seed, 2, chunks, steps);
    for (long epoch : new long[] {0, 1, 12345}) {
      List<Place> all = epoch(order, epoch);
      Set<Place> distinct = new HashSet<>(all);
      assertThat(distinct).hasSameSizeAs(all).hasSize(IntStream.of(chunks).sum());
      assertThat(distinct).allMatch(place -> place.row() < chunks[place.chunk()]);
    }
  }

  @Property(tries = 100)
  void partsDifferByAtMostOneRow(
      @ForAll long seed, @ForAll @IntRange(min = 1, max = 60) int steps) {
    EpochOrder order = new EpochOrder(seed, 0, chunks(seed, 30), steps);
    int[] sizes = IntStream.range(0, steps).map(step -> step(order, step).size()).toArray();
    int most = IntStream.of(sizes).max().orElseThrow();
    assertThat(IntStream.of(sizes)).allMatch(size -> size == most || size == most - 1);
  }

  @Property(tries = 100)
  void aStepReadsTheChunksOfItsWindows(@ForAll long seed) {
    int[] chunks = IntStream.generate(() -> 50).limit(64).toArray();
    EpochOrder order = new EpochOrder(seed, 0, chunks, 64);
    for (int step = 0; step < 128; step++) {
      assertThat(step(order, step).stream().map(Place::chunk).distinct())
          .hasSizeBetween(2, EpochOrder.WINDOW);
    }
  }

  @Test
  void seedEpochAndShardChangeTheOrder() {
    int[] chunks = {40, 40, 40};
    Set<List<Place>> orders = new HashSet<>();
    for (int seed = 0; seed < 3; seed++) {
      for (int shard = 0; shard < 3; shard++) {
        for (int epoch = 0; epoch < 3; epoch++) {
          EpochOrder order = new EpochOrder(seed, shard, chunks, 7);
          assertThat(epoch(order, epoch)).isEqualTo(epoch(order, epoch));
          orders.add(epoch(order, epoch));
        }
      }
    }
    assertThat(orders).hasSize(27);
  }

  /** Each row is at each quarter of the epoch equally often: chi-squared, 3 degrees of freedom. */
  @Test
  void positionsOfARowAreUniform() {
    int epochs = 4000;
    int[] quarters = new int[4];
    EpochOrder order = new EpochOrder(9, 1, IntStream.generate(() -> 5).limit(20).toArray(), 4);
    for (int epoch = 0; epoch < epochs; epoch++) {
      quarters[epoch(order, epoch).indexOf(new Place(7, 3)) / 25]++;
    }
    double expected = epochs / 4.0;
    double squares = 0;
    for (int count : quarters) {
      squares += (count - expected) * (count - expected) / expected;
    }
    assertThat(squares).isLessThan(16.3); // 0.1 %
  }

  @Property(tries = 200)
  void indexPermutationIsABijection(
      @ForAll @IntRange(min = 1, max = 3000) int size, @ForAll long key) {
    IndexPermutation permutation = new IndexPermutation(size, key);
    assertThat(IntStream.range(0, size).mapToLong(permutation::at).sorted().toArray())
        .isEqualTo(IntStream.range(0, size).asLongStream().toArray());
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.embedding.lifecycle.RowAdmission;
import io.sparknd.tensor.Storage;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tests counting Bloom filters beside a naive one and exact counts. */
class CountingFilterTest {

  /** Counters are shared often: 40 keys have 3 of 128 counters in each of 2 buckets. */
  private static final FilterShape SMALL = new FilterShape(2, 128, 3, 2, 5);

  private static final int STEPS = 4;

  /** Filters of the partitions of a table. */
  private record Filters(List<CountingFilter> parts) {
    static Filters of(int partitions) {
      return new Filters(
          IntStream.range(0, partitions)
              .mapToObj(index -> CountingFilter.empty(SMALL, index, partitions))
              .toList());
    }

    /** Returns the filters after a step, and adds the keys that are admitted. */
    Filters step(long step, List<Long> keys, List<Long> admitted) {
      List<CountingFilter> after = new ArrayList<>();
      for (int index = 0; index < parts.size(); index++) {
        FilterEdit edit = new FilterEdit(parts.get(index));
        for (long key : keys) {
          if (SMALL.bucket(key) % parts.size() == index && edit.admits(key, STEPS)) {
            admitted.add(key);
          }
        }
        edit.endStep(step);
        after.add(edit.done());
      }
      return new Filters(after);
    }

    Filters withoutIdle(long cutoff, long now) {
      return new Filters(parts.stream().map(one -> one.withoutIdle(cutoff, now)).toList());
    }

    Filters repartition(int partitions) {
      List<CountingFilter> after = new ArrayList<>();
      List<Filters> split = new ArrayList<>();
      for (CountingFilter part : parts) {
        Filters to = of(partitions);
        part.addTo(to.parts::get, partitions);
        split.add(to);
      }
      for (int index = 0; index < partitions; index++) {
        int owner = index;
        after.add(
            CountingFilter.merged(
                CountingFilter.empty(SMALL, index, partitions),
                split.stream().map(to -> to.parts.get(owner)).iterator()));
      }
      return new Filters(after);
    }

    Filters copied() throws IOException {
      List<CountingFilter> after = new ArrayList<>();
      for (CountingFilter part : parts) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        part.writeTo(new RawArrays(), out);
        after.add(read(out.toByteArray(), in -> CountingFilter.readFrom(new RawArrays(), in)));
      }
      return new Filters(after);
    }

    /** Returns these filters as a base and a delta. */
    Filters withDelta(Filters base, long since) throws IOException {
      List<CountingFilter> after = new ArrayList<>();
      for (int i = 0; i < parts.size(); i++) {
        CountingFilter from = base.parts.get(i);
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        parts.get(i).writeChanged(since, new RawArrays(), out);
        after.add(read(out.toByteArray(), in -> from.withChanged(new RawArrays(), in)));
      }
      return new Filters(after);
    }

    Map<Long, List<Long>> stored() {
      Map<Long, List<Long>> stored = new TreeMap<>();
      parts.forEach(part -> stored.putAll(NaiveFilter.stored(part)));
      return stored;
    }
  }

  private interface Reader {
    CountingFilter read(ByteArrayInputStream in) throws IOException;
  }

  private static CountingFilter read(byte[] bytes, Reader reader) throws IOException {
    ByteArrayInputStream in = new ByteArrayInputStream(bytes);
    CountingFilter filter = reader.read(in);
    assertThat(in.available()).isZero();
    return filter;
  }

  /** Histories of steps, forgetting, repartitioning, saves and deltas. */
  @Property(tries = 100)
  void sameCountersAsANaiveFilter(@ForAll long seed, @ForAll @IntRange(min = 1, max = 4) int parts)
      throws IOException {
    Random random = new Random(seed);
    Filters filters = Filters.of(parts);
    NaiveFilter naive = new NaiveFilter(SMALL);
    Filters saved = filters;
    long since = 0;
    for (long step = 0; step < 20; step++) {
      List<Long> keys = keys(random);
      List<Long> admitted = new ArrayList<>();
      filters = filters.step(step, keys, admitted);
      List<Long> expected = new ArrayList<>(keys);
      expected.removeIf(key -> !naive.admits(key, STEPS));
      naive.endStep(step);
      assertThat(admitted).containsExactlyInAnyOrderElementsOf(expected);
      switch (random.nextInt(6)) {
        case 0 -> {
          long idle = 1L + random.nextInt(3);
          filters = filters.withoutIdle(step + 1 - idle, step + 1);
          naive.forget(idle, step + 1);
        }
        case 1 -> {
          filters = filters.repartition(1 + random.nextInt(4));
          saved = filters;
          since = step + 1;
        }
        case 2 -> filters = filters.copied();
        case 3 -> {
          filters = filters.withDelta(saved, since);
          saved = filters;
          since = step + 1;
        }
        default -> {}
      }
      assertThat(filters.stored()).isEqualTo(naive.stored());
    }
  }

  private static List<Long> keys(Random random) {
    List<Long> keys = new ArrayList<>();
    for (long key = 0; key < 40; key++) {
      if (random.nextInt(4) == 0) {
        keys.add(key - 20);
      }
    }
    Collections.shuffle(keys, random);
    return keys;
  }

  /** A count is at least that of the steps in which the key occurred, if none were forgotten. */
  @Property(tries = 100)
  void countsAreNeverTooLow(@ForAll long seed) {
    Random random = new Random(seed);
    Filters filters = Filters.of(1);
    Map<Long, Integer> exact = new TreeMap<>();
    for (long step = 0; step < 12; step++) {
      List<Long> keys = keys(random);
      filters = filters.step(step, keys, new ArrayList<>());
      keys.forEach(key -> exact.merge(key, 1, Integer::sum));
      CountingFilter filter = filters.parts().get(0);
      exact.forEach(
          (key, count) -> {
            FilterBucket bucket = filter.buckets()[filter.place(key)];
            assertThat(SMALL.count(bucket.words(), key))
                .isBetween(Math.min(count, STEPS - 1), STEPS - 1);
          });
    }
  }

  /** Forgetting keeps the counts of keys that occurred since. */
  @Test
  void countsOfRecentKeysAreKept() {
    Filters filters = Filters.of(1);
    List<Long> none = new ArrayList<>();
    filters = filters.step(0, List.of(1L, 2L), none).step(1, List.of(1L), none);
    Filters recent = filters.withoutIdle(1, 3); // all marks since 0: nothing is unmarked
    assertThat(counts(recent, 1, 2)).containsExactly(2, 1);
    recent = recent.step(3, List.of(1L), none);
    assertThat(counts(recent.withoutIdle(3, 5), 1, 2)).containsExactly(3, 1); // too early
    assertThat(counts(recent.withoutIdle(4, 6), 1, 2)).containsExactly(3, 0);
    assertThat(none).isEmpty();
  }

  private static List<Integer> counts(Filters filters, long... keys) {
    CountingFilter filter = filters.parts().get(0);
    return LongStream.of(keys)
        .mapToObj(key -> SMALL.count(filter.buckets()[filter.place(key)].words(), key))
        .toList();
  }

  @Test
  void atMostTheEarlyRateIsCountedTooHigh() {
    for (RowAdmission.Filtered admission :
        List.of(
            RowAdmission.filtered(3, 20_000),
            RowAdmission.filtered(3, 300_000),
            RowAdmission.filtered(16, 30_000).withEarlyRate(0.1).withSeed(7),
            RowAdmission.filtered(2, 300_000).withEarlyRate(0.001))) {
      FilterShape shape = FilterShape.of(admission);
      FilterEdit edit = new FilterEdit(CountingFilter.empty(shape, 0, 1));
      long early = 0;
      for (long key = 0; key < admission.keys(); key++) {
        early += edit.admits(key, 2) ? 1 : 0; // counted before it occurred
        edit.endStep(0);
      }
      CountingFilter full = edit.done();
      FilterEdit after = new FilterEdit(full);
      long others = 0;
      for (long key = 0; key < admission.keys(); key++) {
        others += after.admits(~key, 2) ? 1 : 0;
      }
      double keys = (double) admission.keys() / shape.buckets();
      double expected = FilterShape.earlyRate(keys, shape.cells(), shape.hashes());
      double rate = admission.earlyRate();
      assertThat(expected).isBetween(rate / 10, rate);
      double deviation = Math.sqrt(expected / admission.keys());
      assertThat((double) others / admission.keys())
          .isCloseTo(expected, within(expected / 10 + 4 * deviation));
      assertThat((double) early / admission.keys()).isBetween(0.0, rate);
    }
  }

  /** Saved tables depend on these. */
  @Test
  void shapesStayTheSame() {
    assertThat(FilterShape.of(RowAdmission.filtered(3, 1_000_000)))
        .isEqualTo(new FilterShape(2048, 4736, 7, 2, 0));
    assertThat(FilterShape.of(RowAdmission.filtered(2, 100_000_000).withSeed(9)))
        .isEqualTo(new FilterShape(262_144, 3712, 7, 1, 9));
    assertThat(FilterShape.of(RowAdmission.filtered(65_536, 1L << 32).withEarlyRate(1e-4)))
        .isEqualTo(new FilterShape(1 << 20, 78_656, 13, 16, 0));
    assertThat(FilterShape.of(RowAdmission.filtered(1, 1).withEarlyRate(0.5)))
        .isEqualTo(new FilterShape(1024, 256, 1, 1, 0));
    FilterShape shape = new FilterShape(2048, 4736, 7, 2, 0);
    assertThat(shape.bucket(1)).isEqualTo(1442); // the upper 11 bits of the mixed key
    assertThat(IntStream.range(0, 7).map(hash -> shape.cell(1, hash)).boxed())
        .containsExactly(1201, 2945, 1669, 3772, 555, 1313, 1938);
    assertThat(new BucketKeyDirectory(100, shape).owner(1)).isEqualTo(42);
  }

  /** A test of hash functions: keys of a bucket share no more counters than chance has it. */
  @Test
  void countersOfKeysAreUniform() {
    FilterShape shape = new FilterShape(1024, 256, 7, 2, 3);
    long[] hits = new long[shape.cells()];
    for (long key = 0; key < 40_000; key++) {
      for (int hash = 0; hash < shape.hashes(); hash++) {
        hits[shape.cell(key << 20, hash)]++;
      }
    }
    double mean = 40_000.0 * 7 / 256;
    double squares = LongStream.of(hits).mapToDouble(hit -> (hit - mean) * (hit - mean)).sum();
    assertThat(squares / mean).isBetween(255 - 6 * 22.6, 255 + 6 * 22.6); // chi-squared
  }

  @Test
  void placesOfAPartitionAreThoseOfItsBuckets() {
    FilterShape shape = new FilterShape(1024, 256, 3, 2, 0);
    for (long key = 0; key < 1000; key++) {
      int bucket = shape.bucket(key);
      CountingFilter owner = CountingFilter.empty(shape, bucket % 3, 3);
      assertThat(owner.place(key)).isBetween(0, owner.buckets().length - 1);
      assertThat(owner.number(owner.place(key))).isEqualTo(bucket);
    }
  }

  @Test
  void damagedFiles() throws IOException {
    assertThatThrownBy(() -> CountingFilter.readFrom(new RawArrays(), file(2, 2, 1)))
        .isInstanceOf(IOException.class)
        .hasMessage("its filter is that of partition 2 of 2");
    for (int place : new int[] {-1, 2}) {
      assertThatThrownBy(() -> CountingFilter.readFrom(new RawArrays(), file(1, 2, place)))
          .isInstanceOf(IOException.class)
          .hasMessage("bucket " + place + " of 1 of its filter");
    }
    CountingFilter second = CountingFilter.readFrom(new RawArrays(), file(1, 2, 1));
    assertThat(CountingFilter.fits(second, 1, SMALL)).isTrue();
    assertThat(CountingFilter.fits(second, 0, SMALL)).isFalse();
    assertThat(CountingFilter.fits(second, 1, null)).isFalse();
    assertThat(CountingFilter.fits(null, 1, SMALL)).isFalse();
    assertThat(CountingFilter.fits(null, 1, null)).isTrue();
  }

  /** Returns a file of an empty filter, whose end is marked by {@code end}. */
  private static ByteArrayInputStream file(int index, int partitions, int end) throws IOException {
    RawArrays raw = new RawArrays();
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    for (int each : new int[] {SMALL.buckets(), SMALL.cells(), SMALL.hashes(), SMALL.bits()}) {
      raw.writeInt(out, each);
    }
    raw.write(out, Storage.LONG, new long[] {SMALL.seed()}, 0, 1);
    for (int each : new int[] {index, partitions, end}) {
      raw.writeInt(out, each);
    }
    return new ByteArrayInputStream(out.toByteArray());
  }
}

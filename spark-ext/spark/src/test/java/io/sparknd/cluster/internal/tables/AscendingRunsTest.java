/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;

class AscendingRunsTest {
  @Property(tries = 200)
  void fewRunsAreConsecutive(@ForAll @Size(max = 60) List<@IntRange(max = 90) Integer> any) {
    long[] offsets = any.stream().mapToLong(Integer::longValue).toArray();
    List<Long> expected = new ArrayList<>();
    for (int i = 0; i < offsets.length; i++) {
      if (i == 0 || offsets[i] != offsets[i - 1] + 1) {
        expected.add(offsets[i]);
        expected.add(offsets[i]);
      }
      expected.set(expected.size() - 1, offsets[i]);
    }
    assertThat(bounds(offsets, offsets.length)).containsExactly(longs(expected));
  }

  /** The steps of each kind: ascending with few or many gaps, and with offsets that descend. */
  @Property(tries = 100)
  void chunksOfAnyLengthGiveTheSameRuns(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 700) int length,
      @ForAll @IntRange(min = 1, max = 40) int widest,
      @ForAll @IntRange(max = 3) int descents) {
    long[] offsets = new long[4000];
    Random random = new Random(seed);
    for (int i = 1; i < offsets.length; i++) {
      boolean descends = random.nextInt(1000) < descents;
      offsets[i] = descends ? random.nextInt(100) : offsets[i - 1] + 1 + random.nextInt(widest);
    }
    assertThat(bounds(offsets, length)).containsExactly(bounds(offsets, 1));
  }

  @Test
  void manyGapsAreJoinedAndTheWidestStay() {
    long[] offsets =
        LongStream.concat(
                LongStream.range(0, 2000).map(i -> 2 * i),
                LongStream.range(0, 2000).map(i -> 1_000_000 + 2 * i))
            .toArray();
    assertThat(bounds(offsets, 4096)).containsExactly(0, 3998, 1_000_000, 1_003_998);
  }

  @Test
  void unsortedOffsetsStopAtTooManyRuns() {
    long[] descending = LongStream.range(0, 5000).map(i -> -i).toArray();
    assertThat(bounds(descending, 4096)).hasSizeGreaterThan(2 * AscendingRuns.MAX);
  }

  private static long[] bounds(long[] offsets, int length) {
    AscendingRuns runs = new AscendingRuns();
    for (int from = 0; from < offsets.length; from += length) {
      long[] chunk = Arrays.copyOfRange(offsets, from, Math.min(from + length, offsets.length));
      runs.add(chunk, chunk.length);
    }
    return runs.bounds();
  }

  private static long[] longs(List<Long> values) {
    return values.stream().mapToLong(Long::longValue).toArray();
  }
}

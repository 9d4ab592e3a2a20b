/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.partition.RawArrays;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import org.junit.jupiter.api.Test;

/** Tests the index from keys to rows of a partition. */
class KeyIndexTest {
  private static final long[] SPECIAL = {0, -1, 1, Long.MIN_VALUE, Long.MAX_VALUE, 1L << 32};

  /** A version of the index and its expected contents. */
  private record Version(KeyIndex index, Map<Long, Long> rows) {
    Version with(long[] added) {
      Map<Long, Long> more = new LinkedHashMap<>(rows);
      Arrays.stream(added).forEach(key -> more.put(key, (long) more.size()));
      // elements after the given count must be ignored
      return new Version(index.with(Arrays.copyOf(added, added.length + 3), added.length), more);
    }

    void check(long... absent) {
      assertThat(index.size()).isEqualTo(rows.size());
      rows.forEach(
          (key, row) -> {
            assertThat(index.row(key)).isEqualTo(row);
            assertThat(index.address(row)).isEqualTo(key);
          });
      for (long key : absent) {
        assertThat(index.row(key)).isEqualTo(rows.getOrDefault(key, RowIndex.ABSENT));
      }
    }
  }

  @Property(tries = 200)
  void everyVersionKeepsItsKeys(
      @ForAll long seed,
      @ForAll @IntRange(min = 1, max = 30) int versions,
      @ForAll @IntRange(min = 1, max = 60) int most)
      throws IOException {
    SplittableRandom random = new SplittableRandom(seed);
    List<Version> all = new ArrayList<>();
    all.add(new Version(KeyIndex.EMPTY, Map.of()));
    for (int i = 0; i < versions; i++) {
      Version last = all.get(i);
      long[] added =
          random
              .longs()
              .map(bits -> key(bits, random))
              .filter(key -> !last.rows().containsKey(key))
              .distinct()
              .limit(1 + random.nextInt(most))
              .toArray();
      all.add(last.with(added));
    }
    long[] keys = all.get(versions).rows().keySet().stream().mapToLong(Long::longValue).toArray();
    all.forEach(version -> version.check(keys));
    all.forEach(version -> version.check(SPECIAL));
    Version last = all.get(versions);
    new Version(copy(last.index()), last.rows()).check(SPECIAL);
  }

  /** Returns a special key, a small key or random bits. */
  private static long key(long bits, SplittableRandom random) {
    return switch (random.nextInt(8)) {
      case 0 -> SPECIAL[random.nextInt(SPECIAL.length)];
      case 1 -> bits >> 54;
      default -> bits;
    };
  }

  private static KeyIndex copy(KeyIndex index) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    index.writeTo(new RawArrays(), out);
    RowIndex read = RowIndex.readFrom(new RawArrays(), new ByteArrayInputStream(out.toByteArray()));
    assertThat(read.bytes()).isEqualTo(index.bytes());
    return (KeyIndex) read;
  }

  @Test
  void versionCopiesOnlyALogarithmicShareOfTheKeys() {
    KeyIndex index = KeyIndex.EMPTY;
    long copied = 0;
    for (int key = 0; key < 20_000; key++) {
      index = index.with(new long[] {key}, 1);
      copied += index.lastSize();
      // each level has less than half the entries of the previous one
      assertThat(1L << index.depth() - 1).isLessThanOrEqualTo(index.size());
    }
    // each key is copied a logarithmic number of times
    assertThat(copied / 20_000).isBetween(4L, 24L);
    assertThat(index.with(new long[] {-5, -7}, 2).lastSize()).isLessThan(50);
    assertThat(index.bytes()).isGreaterThan(20_000 * 16);
  }

  /**
   * Saved tables depend on the partition of each key. The expected values come from a Python
   * implementation.
   */
  @Test
  void partitionsOfKeysDoNotChangeBetweenVersions() {
    assertThat(HashedKeyDirectory.mix(0)).isZero();
    assertThat(HashedKeyDirectory.mix(1)).isEqualTo(0xb456bcfc34c2cb2cL);
    assertThat(new HashedKeyDirectory(1).owner(-1)).isZero();
    assertThat(new HashedKeyDirectory(1000).owner(Long.MIN_VALUE)).isEqualTo(272);
  }

  @Test
  void consecutiveKeysSpreadEvenly() {
    HashedKeyDirectory keys = new HashedKeyDirectory(10);
    int[] counts = new int[10];
    for (long key = -50_000; key < 50_000; key++) {
      counts[keys.owner(key)]++;
    }
    assertThat(Arrays.stream(counts).min().orElse(0)).isGreaterThan(9_600);
  }
}

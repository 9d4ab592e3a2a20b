/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.embedding.internal.rows.DenseIdDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that distinct ids are numbered in the order in which they first occur. */
class IdNumbersTest {

  /** A table of few rows is numbered by an array, others by a hash table. */
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 500, 3600, 3601, 1L << 40})
  void numbersAreThoseOfAListOfDistinctIds(long rows) {
    SplittableRandom random = new SplittableRandom(rows);
    DenseIdDirectory directory = new DenseIdDirectory(new CyclicBlockPartitioner(3, 4), rows);
    IdNumbers numbers = IdNumbers.of(directory, 300);
    for (int round = 0; round < 3; round++) {
      assertNumbers(numbers, random, rows);
      numbers.clear();
      assertThat(numbers.count()).isZero();
    }
  }

  private static void assertNumbers(IdNumbers numbers, SplittableRandom random, long rows) {
    List<Long> distinct = new ArrayList<>();
    for (int count : new int[] {300, 0, 700}) {
      long[] ids = random.longs(count, 0, rows).toArray();
      int[] expected = new int[count];
      for (int i = 0; i < count; i++) {
        if (!distinct.contains(ids[i])) {
          distinct.add(ids[i]);
        }
        expected[i] = distinct.indexOf(ids[i]);
      }
      assertThat(numbers.numbers(ids)).isEqualTo(expected);
      assertThat(numbers.count()).isEqualTo(distinct.size());
    }
    assertThat(Arrays.stream(numbers.distinct()).limit(numbers.count()).boxed().toList())
        .isEqualTo(distinct);
    for (int i = 0; i < distinct.size(); i++) {
      assertThat(numbers.number(distinct.get(i))).isEqualTo(i);
    }
  }

  /** Few rows for each id are scanned, the ids of others are sorted. */
  @ParameterizedTest
  @CsvSource({"1, 1", "900, 1", "1197, 4", "1202, 8", "3600, 4", "3601, 4"})
  void rowsByOwnerAscend(long rows, int perBlock) {
    SplittableRandom random = new SplittableRandom(rows);
    DenseIdDirectory directory =
        new DenseIdDirectory(new CyclicBlockPartitioner(3, perBlock), rows);
    IdNumbers numbers = IdNumbers.of(directory, 300);
    for (int round = 0; round < 3; round++) {
      for (int count : new int[] {300, 0, 700}) {
        numbers.numbers(random.longs(count, 0, rows).toArray());
        assertRowsByOwner(directory, numbers);
      }
      numbers.clear();
      assertThat(numbers.byOwner()).isEmpty();
    }
  }

  private static void assertRowsByOwner(DenseIdDirectory directory, IdNumbers numbers) {
    List<OwnerRows> rows = numbers.byOwner();
    List<OwnerRows> sorted = OwnerRows.of(directory, numbers.distinct(), numbers.count());
    assertThat(rows.stream().mapToInt(OwnerRows::count).sum()).isEqualTo(numbers.count());
    assertThat(rows).hasSameSizeAs(sorted);
    for (int i = 0; i < rows.size(); i++) {
      OwnerRows own = rows.get(i);
      assertThat(own.owner()).isEqualTo(sorted.get(i).owner());
      assertThat(own.addresses()).isEqualTo(sorted.get(i).addresses());
      assertThat(own.positions()).isEqualTo(sorted.get(i).positions());
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.embedding.internal.rows.DenseIdDirectory;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.params.ParameterizedTest;
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
}

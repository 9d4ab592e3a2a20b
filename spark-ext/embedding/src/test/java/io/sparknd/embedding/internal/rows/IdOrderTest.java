/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import java.util.Arrays;
import java.util.Comparator;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the order of rows in messages to their owners. */
class IdOrderTest {
  @ParameterizedTest
  @ValueSource(longs = {1, 2, 2048, 2049, 1_000_000, 1L << 33, Long.MAX_VALUE})
  void numberedRowsAreAscending(long rows) {
    RowDirectory directory = new DenseIdDirectory(new CyclicBlockPartitioner(3, 4), rows);
    long[] ids = new SplittableRandom(1).longs(500, 0, rows).distinct().toArray();
    long[] more = Arrays.copyOf(ids, ids.length + 3); // only the first count are ids
    assertThat(IdOrder.positions(directory, more, ids.length))
        .containsExactly(
            IntStream.range(0, ids.length)
                .boxed()
                .sorted(Comparator.comparing(i -> ids[i]))
                .toArray(Integer[]::new));
    assertThat(IdOrder.positions(directory, more, 0)).isEmpty();
  }

  @Test
  void keysKeepTheirOrder() {
    assertThat(IdOrder.positions(new HashedKeyDirectory(3), new long[] {9, -4, 7, 1}, 3))
        .containsExactly(0, 1, 2);
  }
}

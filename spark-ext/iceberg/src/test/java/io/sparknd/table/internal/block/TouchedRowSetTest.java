/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.CyclicBlockPartitioner;
import io.sparknd.op.Scatter;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the collection of the rows that updates name. */
class TouchedRowSetTest {
  private static TouchedRowSet rows(long perBlock, int perRow) {
    Pieces pieces = new Pieces(new CyclicBlockPartitioner(1, perBlock * perRow), 1, 1);
    return new TouchedRowSet(List.of(new ScatterStage(Scatter.add(), pieces, perRow)), perBlock);
  }

  private static UpdateRun run(long... pieces) {
    return new UpdateRun(0, pieces, new int[pieces.length], pieces.length, new int[0], 0);
  }

  /** Collected in bits, in numbers, and in numbers of a block that no array of slots holds. */
  @ParameterizedTest
  @ValueSource(longs = {100, 100_000, 1L << 40})
  void rowsAreDistinctAndAscend(long perBlock) {
    TouchedRowSet rows = rows(perBlock, 3);
    Random random = new Random(7);
    long[] expected = new long[1000];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = perBlock - 1 - random.nextInt(90);
      rows.add(run(3 * expected[i] + random.nextInt(3)));
    }
    TouchedRows touched = rows.touched();
    assertThat(touched.rows()).isEqualTo(Arrays.stream(expected).sorted().distinct().toArray());
    for (int slot = 0; slot < touched.count(); slot++) {
      assertThat(touched.slot(touched.row(slot))).isEqualTo(slot);
    }
    assertThat(touched.slot(1)).isNegative();
  }

  @ParameterizedTest
  @ValueSource(longs = {100, 100_000, 1L << 40})
  void rowsThatAreNamedOnceStay(long perBlock) {
    TouchedRowSet rows = rows(perBlock, 1);
    long[] expected = new long[50];
    for (int i = 0; i < expected.length; i++) {
      expected[i] = 2L * i;
      rows.add(run(expected[i]));
    }
    assertThat(rows.touched().rows()).isEqualTo(expected);
    assertThat(rows.capacity() == 0).as("in bits").isEqualTo(perBlock == 100);
  }

  @Test
  void manyUpdatesOfFewRowsTakeTheMemoryOfTheRows() {
    long perBlock = 1L << 40;
    TouchedRowSet rows = rows(perBlock, 1);
    long[] pieces = new long[1000];
    Arrays.setAll(pieces, i -> i % 5 * (perBlock / 5));
    for (int i = 0; i < 50_000; i++) {
      rows.add(run(pieces));
    }
    assertThat(rows.touched().rows()).hasSize(5);
    assertThat(rows.capacity()).isLessThan(1000);
  }
}

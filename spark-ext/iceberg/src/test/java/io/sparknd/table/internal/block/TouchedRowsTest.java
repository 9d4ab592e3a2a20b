/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.block;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import org.junit.jupiter.api.Test;

/** Tests the distinct rows of a block's updates, and their slots. */
class TouchedRowsTest {
  private static final int UPDATES = 8_400_000;

  @Test
  void denseAndSparseTablesHaveTheSameSlots() {
    long[] named = {9, 4, 9, 0};
    for (long perBlock : new long[] {10, 1L << 40}) {
      TouchedRows rows = TouchedRows.of(named.clone(), perBlock);
      assertThat(rows.rows()).containsExactly(0, 4, 9);
      assertThat(new int[] {rows.slot(0), rows.slot(4), rows.slot(9)}).containsExactly(0, 1, 2);
      assertThat(rows.slot(5)).isNegative();
      assertThat(rows.count()).isEqualTo(3);
    }
  }

  /** A dense table would need more entries than an array has. */
  @Test
  void manyUpdatesOfAHugeBlockAreAccepted() {
    long perBlock = 256L * UPDATES;
    assertThat(perBlock).isGreaterThan(Integer.MAX_VALUE);
    long[] named = new long[UPDATES];
    Arrays.fill(named, perBlock - 1);
    named[7] = 3;
    TouchedRows rows = TouchedRows.of(named, perBlock);
    assertThat(rows.rows()).containsExactly(3, perBlock - 1);
    assertThat(rows.slot(perBlock - 1)).isEqualTo(1);
  }
}

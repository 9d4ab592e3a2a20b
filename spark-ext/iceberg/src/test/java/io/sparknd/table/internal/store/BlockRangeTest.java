/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.store;

import static org.assertj.core.api.Assertions.assertThat;

import org.apache.iceberg.data.GenericRecord;
import org.apache.iceberg.expressions.Evaluator;
import org.apache.iceberg.types.Types;
import org.junit.jupiter.api.Test;

/** Tests filters of blocks. */
class BlockRangeTest {
  private static final Types.StructType ROWS =
      Types.StructType.of(Types.NestedField.optional(1, "id", Types.LongType.get()));

  private static boolean has(long first, long last, long rowsPerBlock, Long id) {
    GenericRecord row = GenericRecord.create(ROWS);
    row.set(0, id);
    return new Evaluator(ROWS, BlockRange.of("id", first, last, rowsPerBlock)).eval(row);
  }

  @Test
  void aRangeHasTheRowsOfItsBlocks() {
    assertThat(has(2, 3, 10, 19L)).isFalse();
    assertThat(has(2, 3, 10, 20L)).isTrue();
    assertThat(has(2, 3, 10, 39L)).isTrue();
    assertThat(has(2, 3, 10, 40L)).isFalse();
  }

  @Test
  void rowsWithoutAValueAreBeforeTheFirstBlock() {
    assertThat(has(-1, 3, 10, null)).isTrue();
    assertThat(has(-1, 3, 10, 39L)).isTrue();
    assertThat(has(-1, 3, 10, 40L)).isFalse();
    assertThat(has(0, 3, 10, null)).isFalse();
  }

  @Test
  void theLastBlockBelowTwoToThe63HasNoEnd() {
    for (long rowsPerBlock : new long[] {1, 1000, 1 << 20, Long.MAX_VALUE}) {
      long last = (Long.MAX_VALUE - 1) / rowsPerBlock;
      assertThat(has(last, last, rowsPerBlock, Long.MAX_VALUE - 1)).isTrue();
      assertThat(has(0, last, rowsPerBlock, 0L)).isTrue();
      assertThat(has(last, last, rowsPerBlock, last * rowsPerBlock - 1)).isFalse();
    }
    assertThat(has(0, Long.MAX_VALUE - 1, 1, Long.MAX_VALUE)).isFalse();
  }
}

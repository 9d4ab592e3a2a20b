/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;

/** How many files scatters leave, and how much of a block they write. */
class TableFilesTest {
  private static final int ROWS = 1000;
  private static final int TOUCHED = 10;

  private final SparkSession spark = HookedLake.spark();
  private final TensorTable table =
      TensorTable.create(
          spark,
          HookedLake.name(),
          TensorSpec.of(DType.INT64, Shape.of(ROWS)).withRowsPerBlock(ROWS));

  @Test
  void fewScattersWriteNoOtherRows() {
    add(0, ROWS, 1);
    scatters(10);
    assertThat(table.info().dataFiles()).isEqualTo(11);
    assertThat(rowsWritten()).isEqualTo(ROWS + 10 * TOUCHED);
    assertSum(10);
  }

  @Test
  void smallFilesDoNotPileUp() {
    add(0, ROWS, 1);
    scatters(36);
    // the first, sixteen small ones, and those that these became
    assertThat(table.info().dataFiles()).isLessThan(1 + 16 + 4);
    assertThat(rowsWritten()).isLessThan(ROWS + 3 * 36 * TOUCHED);
    assertSum(36);
  }

  @Test
  void whatIsWrittenOverAsAWholeLeavesNothing() {
    add(0, ROWS, 1);
    add(0, ROWS, 1);
    assertThat(table.info().dataFiles()).isEqualTo(1);
    add(3, 5, 1);
    add(3, 5, 1);
    assertThat(table.info().dataFiles()).isEqualTo(2);
  }

  /** Each names other rows than the one before, and some that earlier ones named. */
  private void scatters(int count) {
    for (int i = 0; i < count; i++) {
      int first = i * 37 % (ROWS - TOUCHED);
      add(first, first + TOUCHED, 1);
    }
  }

  private void add(int from, int to, int value) {
    table.scatter(
        Scatter.add(),
        spark.range(from, to, 1, 1).selectExpr("id AS i0", value + "L AS value"),
        COLUMNS);
  }

  private long rowsWritten() {
    return spark
        .table(table.name() + ".all_data_files")
        .selectExpr("file_path", "record_count")
        .distinct()
        .selectExpr("sum(record_count)")
        .first()
        .getLong(0);
  }

  private void assertSum(int scatters) {
    assertThat(table.toDataset().selectExpr("sum(value)").first().getLong(0))
        .isEqualTo(ROWS + (long) scatters * TOUCHED);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static io.sparknd.table.HookedLake.COLUMNS;
import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests how many files scatters leave and how many rows they write. */
@Tag("slow")
class TableFilesTest {
  private static final int ROWS = 1000;
  private static final int TOUCHED = 10;
  private static final String ONE = "1L AS value";

  private final SparkSession spark = HookedLake.spark();
  private final TensorTable table =
      TensorTable.create(
          spark,
          HookedLake.name(),
          TensorSpec.of(DType.INT64, Shape.of(ROWS)).withRowsPerBlock(ROWS));

  @Test
  void fewScattersWriteOnlyUpdatedRows() {
    add(0, ROWS, 1);
    scatters(10);
    assertThat(table.info().dataFiles()).isEqualTo(11);
    assertThat(rowsWritten()).isEqualTo(ROWS + 10 * TOUCHED);
    assertSum(10);
  }

  @Tag("slow")
  @Test
  void smallFilesAreMerged() {
    add(0, ROWS, 1);
    scatters(36);
    // the first file, up to sixteen small ones, and the files merged from them
    assertThat(table.info().dataFiles()).isLessThan(1 + 16 + 4);
    assertThat(rowsWritten()).isLessThan(ROWS + 3 * 36 * TOUCHED);
    assertSum(36);
  }

  @Test
  void filesWithOnlyOverwrittenRowsAreRemoved() {
    add(0, ROWS, 1);
    add(0, ROWS, 1);
    assertThat(table.info().dataFiles()).isEqualTo(1);
    add(3, 5, 1);
    add(3, 5, 1);
    assertThat(table.info().dataFiles()).isEqualTo(2);
  }

  @Test
  void copyOnWriteLeavesOneFilePerBlockAndNoDeletionVectors() {
    add(0, ROWS, 1);
    scatters(3);
    setMode("Copy-On-Write");
    scatters(5);
    assertThat(table.info().dataFiles()).isEqualTo(1);
    assertThat(table.info().deletionVectors()).isZero();
    assertThat(rowsWritten()).isEqualTo(ROWS + 3 * TOUCHED + 5 * ROWS);
    assertSum(8);
    setMode("merge-on-read");
    scatters(1);
    assertThat(table.info().dataFiles()).isEqualTo(2);
    assertThat(table.info().deletionVectors()).isEqualTo(1);
    assertSum(9);
  }

  @Test
  void copyOnWriteRewritesOnlyUpdatedBlocks() {
    TensorTable two =
        TensorTable.create(
            spark,
            HookedLake.name(),
            TensorSpec.of(DType.INT64, Shape.of(2, ROWS))
                .withIndexDepth(2)
                .withRowsPerBlock(1)
                .withProperty("write.merge.mode", "copy-on-write"));
    TensorColumns columns = TensorColumns.of("value", "i0", "i1");
    Dataset<Row> all = spark.range(2 * ROWS).selectExpr("id % 2 AS i0", "id div 2 AS i1", ONE);
    two.scatter(Scatter.add(), all, columns);
    TableCommit commit =
        two.scatter(Scatter.add(), all.where("i0 = 1 AND i1 < " + TOUCHED), columns);
    assertThat(commit.filesAdded()).isEqualTo(1);
    assertThat(commit.filesReplaced()).isEqualTo(1);
    assertThat(two.toDataset().selectExpr("sum(value)").first().getLong(0))
        .isEqualTo(2 * ROWS + TOUCHED);
  }

  @Test
  void smallDeletionVectorsShareAFile() {
    int rows = 1 << 20;
    TensorTable large =
        TensorTable.create(
            spark,
            HookedLake.name(),
            TensorSpec.of(DType.INT64, Shape.of(rows)).withRowsPerBlock(rows / 4));
    Dataset<Row> all = spark.range(rows).selectExpr("id AS i0", ONE);
    large.scatter(Scatter.add(), all, COLUMNS);
    assertThat(vectorFilesOfNext(large, all.where("i0 % 64 = 0"))).isEqualTo(1);
    assertThat(vectorFilesOfNext(large, all.where("i0 % 2 = 0"))).isEqualTo(2); // one per task
    assertThat(vectorFilesOfNext(large, all.where("i0 % 64 = 2"))).isEqualTo(1);
    assertThat(vectorFilesOfNext(large, all.where("i0 % 64 = 1"))).isEqualTo(2);
    assertThat(large.toDataset().selectExpr("sum(value)").first().getLong(0))
        .isEqualTo(rows + rows / 2 + 3L * rows / 64);
    large.compact();
    assertThat(large.info().rows()).isEqualTo(rows);
  }

  private long vectorFilesOfNext(TensorTable table, Dataset<Row> updates) {
    long snapshot = table.scatter(Scatter.add(), updates, COLUMNS).snapshot();
    return spark
        .table(table.name() + ".entries")
        .where("status = 1 AND data_file.content = 1 AND snapshot_id = " + snapshot)
        .select("data_file.file_path")
        .distinct()
        .count();
  }

  private void setMode(String mode) {
    spark.sql(
        "ALTER TABLE " + table.name() + " SET TBLPROPERTIES ('write.merge.mode'='" + mode + "')");
  }

  /** Runs scatters that update overlapping ranges of rows. */
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

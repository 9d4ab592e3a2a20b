/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.LongPredicate;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests row lineage of Iceberg's format version 3. A scatter changes it as Spark's UPDATE does, and
 * {@code compact} as {@code rewrite_data_files} does, one after the other on the same table.
 */
@Tag("slow")
class RowLineageTest {
  private static final int ROWS = 200;
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

  private record Lineage(long id, long sequence, long value) {}

  private SparkSession spark;

  @BeforeEach
  void session() {
    spark = TestTables.spark();
  }

  private static TensorTable table(String mode) {
    return TestTables.create(
        TensorSpec.of(DType.INT64, Shape.of(2 * ROWS))
            .withRowsPerBlock(100)
            .withProperty("write.merge.mode", mode)
            .withProperty("write.update.mode", mode)
            .withProperty("write.delete.mode", mode));
  }

  private Dataset<Row> updates(String condition) {
    return spark.range(0, ROWS, 1, 1).selectExpr("id AS i0", "1L AS value").where(condition);
  }

  private Map<Long, Lineage> rows(TensorTable table) {
    Map<Long, Lineage> rows = new TreeMap<>();
    spark
        .sql(
            "SELECT i0, _row_id, _last_updated_sequence_number, value FROM "
                + table.name()
                + " ORDER BY i0")
        .collectAsList()
        .forEach(
            row ->
                rows.put(
                    row.getLong(0), new Lineage(row.getLong(1), row.getLong(2), row.getLong(3))));
    assertThat(rows.values().stream().map(Lineage::id).distinct()).hasSize(rows.size());
    return rows;
  }

  private static void assertUpdated(
      TensorTable table,
      Map<Long, Lineage> before,
      Map<Long, Lineage> after,
      LongPredicate isUpdated) {
    table.iceberg().refresh();
    long sequence = table.iceberg().currentSnapshot().sequenceNumber();
    Map<Long, Lineage> expected = new TreeMap<>();
    before.forEach(
        (row, old) ->
            expected.put(
                row, isUpdated.test(row) ? new Lineage(old.id(), sequence, old.value() + 1) : old));
    assertThat(after).isEqualTo(expected);
  }

  @ParameterizedTest
  @ValueSource(strings = {"copy-on-write", "merge-on-read"})
  void scattersAndUpdatesKeepRowIdsAndRenumberOnlyUpdatedRows(String mode) {
    TensorTable table = table(mode);
    table.scatter(Scatter.update(), updates("true"), COLUMNS);
    Map<Long, Lineage> before = rows(table);
    table.scatter(Scatter.add(), updates("i0 % 3 = 0"), COLUMNS);
    Map<Long, Lineage> scattered = rows(table);
    assertUpdated(table, before, scattered, row -> row % 3 == 0);
    spark.sql("UPDATE " + table.name() + " SET value = value + 1 WHERE i0 % 3 = 1");
    Map<Long, Lineage> updated = rows(table);
    assertUpdated(table, scattered, updated, row -> row % 3 == 1);
    table.scatter(Scatter.add(), updates("i0 % 5 < 2"), COLUMNS);
    assertUpdated(table, updated, rows(table), row -> row % 5 < 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"copy-on-write", "merge-on-read"})
  void compactAndRewriteDataFilesKeepLineage(String mode) {
    TensorTable table = table(mode);
    table.scatter(Scatter.update(), updates("true"), COLUMNS);
    for (int step = 0; step < 3; step++) {
      table.scatter(Scatter.add(), updates("i0 % 7 = " + step), COLUMNS);
      spark.sql("UPDATE " + table.name() + " SET value = value + 1 WHERE i0 % 11 = " + step);
    }
    spark.sql("DELETE FROM " + table.name() + " WHERE i0 = 17");
    Map<Long, Lineage> before = rows(table);
    table.compact();
    assertThat(rows(table)).isEqualTo(before);
    spark.sql(
        "CALL lake.system.rewrite_data_files(table => '"
            + table.name()
            + "', options => map('rewrite-all', 'true'))");
    assertThat(rows(table)).isEqualTo(before);
    table.scatter(Scatter.add(), updates("i0 < 150"), COLUMNS);
    Map<Long, Lineage> after = rows(table);
    Lineage again = after.remove(17L);
    assertUpdated(table, before, after, row -> row < 150);
    assertThat(again.id()).as("a deleted row comes back as a new one").isGreaterThanOrEqualTo(ROWS);
  }

  @Test
  void newRowsGetNewIds() {
    TensorTable table = table("merge-on-read");
    table.scatter(Scatter.update(), updates("i0 % 2 = 0"), COLUMNS);
    Map<Long, Lineage> before = rows(table);
    table.scatter(Scatter.add(), updates("true"), COLUMNS);
    Map<Long, Lineage> after = rows(table);
    assertThat(after).hasSize(ROWS);
    after.keySet().removeIf(row -> row % 2 == 1);
    assertUpdated(table, before, after, row -> true);
  }

  @Test
  void tableOfVersionTwoHasNoLineageUntilUpgraded() {
    TensorTable table =
        TestTables.create(
            TensorSpec.of(DType.INT64, Shape.of(2 * ROWS))
                .withRowsPerBlock(100)
                .withProperty("format-version", "2"));
    table.scatter(Scatter.update(), updates("true"), COLUMNS);
    table.scatter(Scatter.add(), updates("i0 < 3"), COLUMNS);
    spark.sql("ALTER TABLE " + table.name() + " SET TBLPROPERTIES ('format-version' = '3')");
    table.scatter(Scatter.add(), updates("i0 > 100 AND i0 < 110"), COLUMNS);
    Map<Long, Lineage> before = rows(table);
    table.scatter(Scatter.add(), updates("i0 % 3 = 0"), COLUMNS);
    assertUpdated(table, before, rows(table), row -> row % 3 == 0);
  }
}

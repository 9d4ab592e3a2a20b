/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TableCommit;
import io.sparknd.table.result.TableInfo;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Tests tensors of ten billion rows, of which few are written. */
class SparseTableTest {
  private static final long ROWS = 10_000_000_000L;
  private static final int WRITTEN = 20_000;

  /** Rows far apart, including the last row of the tensor. */
  private static final String ROW = "CAST(" + (ROWS - 1) + " - id * 499979 AS bigint) AS i0";

  @Test
  void tableStoresOnlyWrittenRows() {
    TensorTable table = TestTables.create(spec());
    Dataset<Row> updates =
        TestTables.spark().range(WRITTEN).selectExpr(ROW, "array(float(id), 1F, 2F, 3F) AS value");
    TableCommit commit = table.scatter(Scatter.add(), updates, TensorColumns.of("value", "i0"));
    assertThat(commit.rows()).isEqualTo(WRITTEN);
    table.scatter(Scatter.add(), updates.limit(WRITTEN / 2), TensorColumns.of("value", "i0"));

    TableInfo info = table.info();
    assertThat(info.rows()).isEqualTo(WRITTEN);
    assertThat(info.dataFiles()).isLessThan(30);
    assertThat(info.bytes()).isLessThan(WRITTEN * 100L);
    assertThat(table.toDataset().selectExpr("sum(value[1])").head().getDouble(0))
        .isEqualTo(1.5 * WRITTEN);
  }

  @Test
  void rowsThatWereNeverWrittenHoldTheFillValue() {
    TensorTable table = TestTables.create(spec().withFill(-1.5f));
    Dataset<Row> updates =
        TestTables.spark().sql("SELECT bigint(9999999999) AS i0, array(1F, 2F, 3F, 4F) AS value");
    table.scatter(Scatter.add(), updates, TensorColumns.of("value", "i0"));
    Dataset<Row> requested =
        TestTables.spark().sql("SELECT * FROM VALUES (9999999999), (4294967296), (0) AS t(id)");
    List<Row> rows =
        table
            .gather(Gather.strict(), requested, List.of("id"))
            .selectExpr("id", "value[0] AS first")
            .orderBy("id")
            .collectAsList();
    assertThat(rows.stream().map(row -> row.getFloat(1))).containsExactly(-1.5f, -1.5f, -0.5f);
  }

  @Test
  void scatterThatDropsAllUpdatesCountsThem() {
    TensorTable table = TestTables.create(spec());
    Dataset<Row> updates =
        TestTables.spark().sql("SELECT bigint(10000000000) AS i0, array(1F, 2F, 3F, 4F) AS value");
    Scatter lenient = Scatter.add().withBadIndices(BadIndices.IGNORE);
    TableCommit commit = table.scatter(lenient, updates, TensorColumns.of("value", "i0"));
    assertThat(commit.outcome()).isEqualTo(TableCommit.Outcome.EMPTY);
    assertThat(commit.updates()).isEqualTo(1);
    assertThat(commit.dropped()).isEqualTo(1);
    assertThat(table.snapshot()).isEmpty();
  }

  private static TensorSpec spec() {
    return TensorSpec.of(DType.FLOAT32, Shape.of(ROWS, 4)).withExpectedRows(WRITTEN);
  }
}

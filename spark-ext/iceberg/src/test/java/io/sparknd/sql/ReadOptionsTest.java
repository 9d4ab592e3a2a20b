/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that read options select a part of a tensor table or are rejected by name. */
class ReadOptionsTest {
  private final SparkSession spark = TestTables.spark();
  private TensorTable table;
  private long first;

  @BeforeEach
  void makeTable() {
    SparkSession.setActiveSession(spark);
    spark.conf().set("spark.sql.catalog.nd", NdCatalog.class.getName());
    table = TestTables.create(TensorSpec.of(DType.INT64, Shape.of(10)).withFill(-1));
    first = scatter("SELECT 0L AS id, 5L AS v");
    scatter("SELECT 1L AS id, 7L AS v");
  }

  @AfterEach
  void dropViews() {
    spark.sql("DROP VIEW IF EXISTS read_view");
    spark.sql("DROP TABLE IF EXISTS " + table.name());
  }

  private long scatter(String updates) {
    return table
        .scatter(Scatter.update(), spark.sql(updates), TensorColumns.of("v", "id"))
        .snapshot();
  }

  /** Gathers elements 0 and 1. */
  private List<Long> gather(String tensor) {
    String call =
        "SELECT value FROM gather_nd(TABLE("
            + tensor
            + "), TABLE(SELECT id FROM range(2))) ORDER BY value";
    return spark.sql(call).collectAsList().stream().map((Row row) -> row.getLong(0)).toList();
  }

  private void makeView(String option, Object value) {
    spark
        .read()
        .option(option, value.toString())
        .table(table.name())
        .createOrReplaceTempView("read_view");
  }

  @ParameterizedTest
  @ValueSource(strings = {"start-snapshot-id", "START-SNAPSHOT-ID"})
  void viewOfAnIncrementalReadIsNotReadAsTheWholeTable(String option) {
    makeView(option, first);
    assertThatThrownBy(() -> gather("read_view"))
        .hasMessageContaining(table.name())
        .hasMessageContaining("start-snapshot-id")
        .hasMessageContaining("VERSION AS OF");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "snapshot-id",
        "as-of-timestamp",
        "tag",
        "start-snapshot-id",
        "end-snapshot-id",
        "start-timestamp",
        "end-timestamp",
        "an-option-of-tomorrow"
      })
  void optionThatMaySelectRowsIsRejected(String option) {
    String read = "SELECT * FROM " + table.name() + " WITH ('" + option + "' = '" + first + "')";
    assertThatThrownBy(() -> gather(read)).hasMessageContaining(option);
    assertThatThrownBy(
            () ->
                spark
                    .sql(
                        "SELECT * FROM tensor_scatter_nd_add(TABLE("
                            + read
                            + "), TABLE(SELECT 0L, 1L))")
                    .count())
        .hasMessageContaining(option);
    makeView(option, first);
    assertThatThrownBy(() -> spark.sql("CALL nd.system.info('read_view')").count())
        .hasMessageContaining(option);
  }

  @ParameterizedTest
  @CsvSource({"split-size,1048576", "vectorization-enabled,false", "locality,true"})
  void optionThatSelectsNoRowsDoesNotAffectTheRead(String option, String value) {
    makeView(option, value);
    assertThat(gather("read_view")).containsExactly(5L, 7L);
  }

  @Test
  void versionOptionReadsThatVersion() {
    makeView("versionAsOf", first);
    assertThat(gather("read_view")).containsExactly(-1L, 5L);
  }

  @Test
  void branchOptionReadsTheBranch() {
    table.iceberg().manageSnapshots().createBranch("audit", first).commit();
    String read = "SELECT * FROM " + table.name() + " WITH ('branch' = '%s')";
    assertThat(gather(String.format(read, "audit"))).containsExactly(-1L, 5L);
    assertThatThrownBy(() -> gather(String.format(read, "nowhere")))
        .hasMessageContaining("'nowhere'");
    assertThatThrownBy(
            () ->
                gather("SELECT * FROM " + table.name() + ".branch_audit WITH ('branch' = 'main')"))
        .hasMessageContaining("branch");
  }
}

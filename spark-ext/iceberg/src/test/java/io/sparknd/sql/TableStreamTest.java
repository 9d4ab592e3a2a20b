/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.table.reduction.VariableReduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests gathers from tables of SparkND whose indices are a stream of files. */
@Tag("slow")
class TableStreamTest {
  private final SparkSession spark = TestTables.spark();

  @TempDir Path folder;

  @BeforeEach
  void makeStream() throws IOException {
    SparkSession.setActiveSession(spark);
    Files.createDirectories(folder.resolve("in"));
    spark
        .readStream()
        .schema("n int, id bigint, user string, at timestamp")
        .json(folder.resolve("in").toString())
        .createOrReplaceTempView("table_stream");
    arrive("{\"n\":0,\"id\":3,\"user\":\"u1\",\"at\":\"2100-01-01T00:00:00Z\"}");
  }

  private void arrive(String row) throws IOException {
    Path made = Files.createTempFile(folder, "row", ".json");
    Files.writeString(made, row + "\n");
    Files.move(made, folder.resolve("in").resolve(made.getFileName()));
  }

  /** Runs a query over the files that have arrived since its last run, and returns all rows. */
  private List<String> run(String statement) throws Exception {
    spark
        .sql(statement)
        .writeStream()
        .format("parquet")
        .option("path", folder.resolve("out").toString())
        .option("checkpointLocation", folder.resolve("checkpoint").toString())
        .trigger(Trigger.AvailableNow())
        .start()
        .awaitTermination();
    return spark
        .read()
        .parquet(folder.resolve("out").toString())
        .orderBy("n")
        .toJSON()
        .collectAsList();
  }

  /** Each start of the query reads the version that is the latest then. */
  @Test
  void eachStartReadsTheVersionOfItsTime() throws Exception {
    TensorTable table = TestTables.create(TensorSpec.of(DType.FLOAT64, Shape.of(10)));
    TensorColumns columns = TensorColumns.of("v", "id");
    String call =
        "SELECT n, value FROM gather_nd(TABLE(%s), TABLE(table_stream), index_columns => 'id')"
            .formatted(table.name());
    table.scatter(Scatter.update(), spark.sql("SELECT 3 AS id, 1.5D AS v"), columns);
    run(call);
    table.scatter(Scatter.update(), spark.sql("SELECT 3 AS id, 2.5D AS v"), columns);
    arrive("{\"n\":1,\"id\":3}");
    assertThat(run(call)).containsExactly("{\"n\":0,\"value\":1.5}", "{\"n\":1,\"value\":2.5}");
  }

  /** As the static side of a stream-static join is. */
  @Test
  void eachMicroBatchReadsTheVersionOfItsTime() throws Exception {
    TensorTable table = TestTables.create(TensorSpec.of(DType.FLOAT64, Shape.of(10)));
    TensorColumns columns = TensorColumns.of("v", "id");
    table.scatter(Scatter.update(), spark.sql("SELECT 3 AS id, 1.5D AS v"), columns);
    StreamingQuery query =
        spark
            .sql(
                "SELECT n, g.value, t.value AS stored FROM gather_nd(TABLE(%1$s), TABLE(table_stream), index_columns => 'id') g JOIN %1$s t ON g.id = t.i0"
                    .formatted(table.name()))
            .writeStream()
            .format("memory")
            .queryName("table_stream_rows")
            .start();
    try {
      query.processAllAvailable();
      table.scatter(Scatter.update(), spark.sql("SELECT 3 AS id, 2.5D AS v"), columns);
      arrive("{\"n\":1,\"id\":3}");
      query.processAllAvailable();
    } finally {
      query.stop();
    }
    assertThat(spark.table("table_stream_rows").orderBy("n").toJSON().collectAsList())
        .containsExactly(
            "{\"n\":0,\"value\":1.5,\"stored\":1.5}", "{\"n\":1,\"value\":2.5,\"stored\":2.5}");
  }

  @Test
  void aFeatureTableIsReadByKeyAndTime() throws Exception {
    FeatureTable table =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("views", "bigint").reducedBy(VariableReduction.add())));
    table.scatter(spark.sql("SELECT 'u1' AS user, 5L AS views"));
    assertThat(
            run(
                "SELECT n, views FROM gather_nd(TABLE(%s), TABLE(table_stream))"
                    .formatted(table.name())))
        .containsExactly("{\"n\":0,\"views\":5}");
    arrive("{\"n\":1,\"user\":\"u1\",\"at\":\"2100-01-01T00:00:00Z\"}");
    assertThat(
            run(
                "SELECT n, views FROM gather_nd_as_of(TABLE(%s), TABLE(table_stream), at => 'at')"
                    .formatted(table.name())))
        .containsExactly("{\"n\":0,\"views\":5}", "{\"n\":1,\"views\":5}");
  }
}

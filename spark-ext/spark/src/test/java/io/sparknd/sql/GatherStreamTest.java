/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.streaming.DataStreamWriter;
import org.apache.spark.sql.streaming.StreamingQuery;
import org.apache.spark.sql.streaming.StreamingQueryException;
import org.apache.spark.sql.streaming.Trigger;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Tests gathers whose indices are a stream of files. */
class GatherStreamTest {
  private static final String CALL =
      "SELECT * FROM gather_nd(TABLE(emb), TABLE(clicks), array(4, 2))";

  private final SparkSession spark = LocalSpark.session().newSession();

  @TempDir Path folder;

  @BeforeEach
  void makeViews() throws IOException {
    spark.sql(
        "CREATE TEMP VIEW emb AS SELECT id AS user, array(float(id), float(id * 10)) AS vec FROM"
            + " range(4)");
    Files.createDirectories(folder.resolve("in"));
    stream("user bigint, label string").createOrReplaceTempView("clicks");
  }

  private Dataset<Row> stream(String schema) {
    return spark.readStream().schema(schema).json(folder.resolve("in").toString());
  }

  private void arrive(String file, String... rows) throws IOException {
    Path made = folder.resolve(file);
    Files.write(made, List.of(rows));
    Files.move(made, folder.resolve("in").resolve(file));
  }

  /** Runs a query over all files that have arrived, from where its last run stopped. */
  private void run(Dataset<Row> query) throws Exception {
    finish(
        query
            .writeStream()
            .format("parquet")
            .option("path", folder.resolve("out").toString())
            .outputMode("append"));
  }

  private void finish(DataStreamWriter<Row> writer) throws Exception {
    StreamingQuery running =
        writer
            .option("checkpointLocation", folder.resolve("checkpoint").toString())
            .trigger(Trigger.AvailableNow())
            .start();
    running.awaitTermination();
  }

  private List<String> written(String order) {
    return spark
        .read()
        .parquet(folder.resolve("out").toString())
        .orderBy(order)
        .toJSON()
        .collectAsList();
  }

  @Tag("slow")
  @Test
  void aRestartGoesOnFromTheCheckpoint() throws Exception {
    Dataset<Row> query = spark.sql(CALL);
    assertThat(query.isStreaming()).isTrue();
    arrive("a.json", "{\"user\":2,\"label\":\"a\"}", "{\"user\":0,\"label\":\"b\"}");
    run(query);
    arrive("b.json", "{\"user\":2,\"label\":\"c\"}");
    arrive("c.json");
    run(spark.sql(CALL));
    run(spark.sql(CALL));
    assertThat(written("label"))
        .containsExactly(
            "{\"user\":2,\"label\":\"a\",\"vec\":[2.0,20.0]}",
            "{\"user\":0,\"label\":\"b\",\"vec\":[0.0,0.0]}",
            "{\"user\":2,\"label\":\"c\",\"vec\":[2.0,20.0]}");
  }

  @Tag("slow")
  @Test
  void aDatasetOfAStreamIsGatheredToo() throws Exception {
    Dataset<Row> query =
        GatherNd.of(spark.table("emb"), spark.table("clicks").where("label <> 'b'"))
            .withShape(Shape.of(4, 2))
            .toDataset();
    arrive("a.json", "{\"user\":3,\"label\":\"a\"}", "{\"user\":9,\"label\":\"b\"}");
    run(query.selectExpr("label", "vec[1] AS x"));
    assertThat(written("label")).containsExactly("{\"label\":\"a\",\"x\":30.0}");
  }

  @Tag("slow")
  @Test
  void aBadIndexFailsTheQuery() throws Exception {
    arrive("a.json", "{\"user\":9,\"label\":\"a\"}");
    assertThatThrownBy(() -> run(spark.sql(CALL)))
        .isInstanceOf(StreamingQueryException.class)
        .hasStackTraceContaining("[9] is out of bounds for shape [4, 2]");
    run(spark.sql(CALL.replace("array(4, 2)", "array(4, 2), bad_indices => 'ignore'")));
    assertThat(written("label")).containsExactly("{\"user\":9,\"label\":\"a\",\"vec\":[0.0,0.0]}");
  }

  /** Windows close by the watermark of the indices, which the gather keeps. */
  @Tag("slow")
  @Test
  void aWatermarkPassesThrough() throws Exception {
    stream("user bigint, seen timestamp")
        .withWatermark("seen", "1 minute")
        .createOrReplaceTempView("timed");
    Dataset<Row> sums =
        spark.sql(
            "SELECT window.start AS start, sum(vec[0]) AS x FROM gather_nd(TABLE(emb),"
                + " TABLE(timed), array(4, 2)) GROUP BY window(seen, '1 minute')");
    arrive(
        "a.json",
        "{\"user\":1,\"seen\":\"2026-05-01T00:00:01\"}",
        "{\"user\":3,\"seen\":\"2026-05-01T00:00:59\"}");
    run(sums);
    arrive("b.json", "{\"user\":0,\"seen\":\"2026-05-01T01:00:00\"}");
    run(sums);
    assertThat(written("start")).hasSize(1).allMatch(row -> row.contains("\"x\":4.0"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "updates | scatter_nd(TABLE(SELECT user, 1.0D FROM clicks), array(4))",
        "updates | tensor_scatter_nd_add(TABLE(SELECT 1 AS user, 1.0D AS v), TABLE(SELECT user, 1.0D AS v FROM clicks), array(4))",
        "tensor | tensor_scatter_nd_add(TABLE(SELECT user, 1.0D AS v FROM clicks), TABLE(SELECT 1 AS user, 1.0D AS v), array(4))",
        "params | gather_nd(TABLE(SELECT user, 1.0D AS v FROM clicks), TABLE(SELECT 1 AS user), array(4))",
      })
  void otherTablesAreReadWhole(String argument, String call) {
    assertThatThrownBy(() -> spark.sql("SELECT * FROM " + call))
        .isInstanceOfSatisfying(
            AnalysisException.class,
            e -> {
              assertThat(e.getCondition())
                  .isEqualTo("SPARKND_INVALID_TABLE_ARGUMENT.STREAMING_TABLE");
              assertThat(e.getMessage())
                  .contains(
                      "argument '" + argument + "' is a stream",
                      "foreachBatch",
                      "tensor table",
                      "only the indices of a gather may be a stream");
            });
  }
}

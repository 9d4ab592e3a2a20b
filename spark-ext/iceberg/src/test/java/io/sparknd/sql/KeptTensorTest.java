/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.AnalysisException;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Tests table functions on tensor tables by name. */
class KeptTensorTest {
  private static final Shape SHAPE = Shape.of(100, 3);

  private final SparkSession spark = TestTables.spark();

  private enum Layout {
    ARRAY,
    BINARY,
    COLUMNS;

    TensorSpec of(TensorSpec spec) {
      return switch (this) {
        case ARRAY -> spec;
        case BINARY -> spec.withBinaryValues();
        case COLUMNS -> spec.withFeatures("clicks", "views", "price");
      };
    }
  }

  @BeforeEach
  void makeViews() {
    SparkSession.setActiveSession(spark);
    spark.sql(
        "CREATE OR REPLACE TEMP VIEW kept_clicks AS SELECT * FROM VALUES (30, 'x'), (7, 'y'),"
            + " (30, 'z'), (99, 'w') AS c(user, label)");
  }

  @AfterEach
  void dropViews() {
    spark.catalog().clearCache();
    spark.sql("DROP VIEW IF EXISTS kept_clicks");
    spark.sql("DROP VIEW IF EXISTS kept_view");
  }

  /**
   * Creates a table of float16 rows in blocks of ten. Every third row is written; the others have
   * the fill value -1.
   */
  private TensorTable table(Layout layout) {
    TensorSpec spec = TensorSpec.of(DType.FLOAT16, SHAPE).withRowsPerBlock(10).withFill(-1);
    TensorTable table = TestTables.create(layout.of(spec));
    scatter(table, "SELECT id, array(float(id), 0.1F, 2F) AS v FROM range(0, 100, 3)");
    return table;
  }

  private void scatter(TensorTable table, String updates) {
    table.scatter(Scatter.update(), spark.sql(updates), TensorColumns.of("v", "id"));
  }

  private List<String> rows(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  private static String gather(String table) {
    return "SELECT * FROM gather_nd(TABLE(" + table + "), TABLE(kept_clicks)) ORDER BY label";
  }

  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void gatherByNameEqualsGatherOfTheTable(Layout layout) {
    TensorTable table = table(layout);
    assertThat(rows(gather(table.name())))
        .containsExactly(
            "{\"user\":99,\"label\":\"w\",\"value\":[99.0,0.099975586,2.0]}",
            "{\"user\":30,\"label\":\"x\",\"value\":[30.0,0.099975586,2.0]}",
            "{\"user\":7,\"label\":\"y\",\"value\":[-1.0,-1.0,-1.0]}",
            "{\"user\":30,\"label\":\"z\",\"value\":[30.0,0.099975586,2.0]}");
    Dataset<Row> same =
        table.gather(Gather.strict(), spark.table("kept_clicks"), List.of("user")).orderBy("label");
    assertThat(rows(gather(table.name()))).isEqualTo(same.toJSON().collectAsList());
  }

  @Test
  void valueColumnOfAnotherCaseIsRejectedIfTheSessionIsCaseSensitive() {
    String gather =
        "SELECT * FROM gather_nd(TABLE("
            + table(Layout.ARRAY).name()
            + "), TABLE(kept_clicks), index_columns => 'user', value_column => 'VALUE')";
    assertThat(rows(gather)).hasSize(4);
    spark.conf().set("spark.sql.caseSensitive", true);
    try {
      assertThatThrownBy(() -> rows(gather)).hasMessageContaining("value_column");
    } finally {
      spark.conf().unset("spark.sql.caseSensitive");
    }
  }

  @ParameterizedTest
  @EnumSource
  void elementsOfSlicesAreGatheredToo(Layout layout) {
    assertThat(
            rows(
                "SELECT * FROM gather_nd(TABLE("
                    + table(layout).name()
                    + "), TABLE(SELECT 30 AS u, 2 AS f UNION ALL SELECT 31, 0), index_columns =>"
                    + " array('u', 'f'), bad_indices => 'ignore') ORDER BY u"))
        .containsExactly("{\"u\":30,\"f\":2,\"value\":2.0}", "{\"u\":31,\"f\":0,\"value\":-1.0}");
  }

  @ParameterizedTest
  @EnumSource
  void tableFunctionDoesNotChangeTheTable(Layout layout) {
    TensorTable table = table(layout);
    String after =
        "SELECT * FROM tensor_scatter_nd_add(TABLE("
            + table.name()
            + "), TABLE(SELECT 6 AS i, array(1F, 0F, 0.5F) AS v UNION ALL SELECT 7, array(1F, 0F,"
            + " 0.5F)))";
    assertThat(rows(after + " WHERE i0 BETWEEN 5 AND 7 ORDER BY i0"))
        .containsExactly(
            "{\"i0\":5,\"value\":[-1.0,-1.0,-1.0]}",
            "{\"i0\":6,\"value\":[7.0,0.099975586,2.5]}",
            "{\"i0\":7,\"value\":[0.0,-1.0,-0.5]}");
    assertThat(rows("SELECT count(*) AS n FROM (" + after + ")")).containsExactly("{\"n\":100}");
    assertThat(rows(gather(table.name())).get(2)).contains("[-1.0,-1.0,-1.0]");
  }

  /** If the files of all other blocks are deleted, the requested rows can still be read. */
  @Tag("slow")
  @ParameterizedTest
  @EnumSource
  void onlyRequestedBlocksAreRead(Layout layout) throws IOException {
    TensorTable table = table(layout);
    int deleted = 0;
    for (Path file : dataFiles(table)) {
      String partition = file.getParent().getFileName().toString();
      if (!List.of("i0_trunc=0", "i0_trunc=30", "i0_trunc=90").contains(partition)) {
        Files.delete(file);
        deleted++;
      }
    }
    assertThat(deleted).isEqualTo(7);
    assertThat(rows(gather(table.name()))).hasSize(4);
    Throwable broken =
        catchThrowable(
            () ->
                rows(
                    "SELECT * FROM gather_nd(TABLE(" + table.name() + "), TABLE(SELECT 40 AS u))"));
    assertThat(broken).isNotNull();
  }

  private static List<Path> dataFiles(TensorTable table) throws IOException {
    Path place = Path.of(URI.create(table.iceberg().location()));
    try (Stream<Path> files = Files.walk(place.resolve("data"))) {
      return files.filter(file -> file.toString().endsWith(".parquet")).toList();
    }
  }

  @Test
  void snapshotsAreReadByVersionAndTime() throws InterruptedException {
    TensorTable table = table(Layout.BINARY);
    long before = table.snapshot().orElseThrow();
    Thread.sleep(20);
    Instant then = Instant.now();
    Thread.sleep(20);
    scatter(table, "SELECT 7 AS id, array(1F, 2F, 3F) AS v");
    assertThat(rows(gather(table.name())).get(2)).contains("[1.0,2.0,3.0]");
    String version = "SELECT * FROM " + table.name() + " FOR VERSION AS OF " + before;
    String time = "SELECT * FROM " + table.name() + " TIMESTAMP AS OF '" + then + "'";
    for (String past : List.of(version, time, table.name() + ".`snapshot_id_" + before + "`")) {
      assertThat(rows(gather(past)).get(2)).as(past).contains("[-1.0,-1.0,-1.0]");
    }
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_update(TABLE("
                    + version
                    + "), TABLE(SELECT 0, array(0F, 0F, 0F))) WHERE i0 = 7"))
        .containsExactly("{\"i0\":7,\"value\":[-1.0,-1.0,-1.0]}");
  }

  /** Python filters so, that Spark does not uncache the table with the view of the filter. */
  @Test
  void tableWithoutAConditionIsReadAsTheTable() {
    spark.table(table(Layout.BINARY).name()).where("true").createOrReplaceTempView("kept_view");
    assertThat(rows(gather("kept_view"))).hasSize(4);
  }

  @Test
  void viewOfTheWholeTableIsReadAsTheTable() {
    TensorTable table = table(Layout.BINARY);
    spark.sql("CREATE TEMP VIEW kept_view AS SELECT * FROM " + table.name());
    assertThat(rows(gather("kept_view"))).isEqualTo(rows(gather(table.name())));
    assertThat(plan(gather("kept_view"))).contains("in " + table.name());
  }

  /**
   * A query on the table is an ordinary query: rows that the table lacks are 0, and values keep
   * their SQL type.
   */
  @Test
  void queryOnTheTableIsReadAsAnOrdinaryQuery() {
    TensorTable table = table(Layout.ARRAY);
    String query = "SELECT * FROM " + table.name() + " WHERE i0 < 50";
    String call =
        "SELECT * FROM gather_nd(TABLE(" + query + "), TABLE(kept_clicks), shape => array(100, 3))";
    assertThat(plan(call)).doesNotContain("in " + table.name());
    assertThat(rows(call + " ORDER BY label").get(2)).contains("[0.0,0.0,0.0]");
    assertThatThrownBy(() -> spark.sql(call.replace(table.name(), table(Layout.BINARY).name())))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining("value column 'value' is binary")
        .hasMessageContaining("nd_decode");
  }

  @Test
  void explainShowsTheTableAndSnapshot() {
    TensorTable table = table(Layout.BINARY);
    assertThat(plan(gather(table.name())))
        .contains(
            "gather_nd(params => float16[100, 3] in " + table.name(),
            "layout binary, snapshot " + table.snapshot().orElseThrow(),
            "reads only the requested blocks")
        .doesNotContain("BatchScan");
    assertThat(
            plan(
                "SELECT * FROM tensor_scatter_nd_max(TABLE("
                    + table.name()
                    + "), TABLE(SELECT 0, array(0F, 0F, 0F)))"))
        .contains("tensor_scatter_nd_max(tensor => float16[100, 3] in " + table.name());
  }

  private String plan(String statement) {
    return spark.sql("EXPLAIN EXTENDED " + statement).first().getString(0);
  }

  @Test
  void emptyTableReadsAsTheFillValue() {
    TensorTable table = TestTables.create(TensorSpec.of(DType.STRING, Shape.of(3)).withFill("?"));
    assertThat(rows("SELECT * FROM gather_nd(TABLE(" + table.name() + "), TABLE(SELECT 2 AS i))"))
        .containsExactly("{\"i\":2,\"value\":\"?\"}");
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_add(TABLE("
                    + table.name()
                    + "), TABLE(SELECT 1, '!')) ORDER BY i0"))
        .containsExactly(
            "{\"i0\":0,\"value\":\"?\"}",
            "{\"i0\":1,\"value\":\"?!\"}",
            "{\"i0\":2,\"value\":\"?\"}");
  }

  @Test
  void fillAndWrapApplyToIndicesOutOfBounds() {
    String table = table(Layout.COLUMNS).name();
    String call = "SELECT value FROM gather_nd(TABLE(" + table + "), TABLE(SELECT %s AS u)%s)";
    assertThat(rows(call.formatted(100, ", fill => 9")))
        .containsExactly("{\"value\":[9.0,9.0,9.0]}");
    assertThat(rows(call.formatted(-1, ", negative => 'wrap'")))
        .containsExactly("{\"value\":[99.0,0.099975586,2.0]}");
    assertThatThrownBy(() -> rows(call.formatted(100, "")))
        .hasMessageContaining("[100] is out of bounds for shape [100, 3]");
  }

  @Tag("slow")
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          gather_nd(TABLE(T), TABLE(SELECT 1), shape => array(9, 3))   | shape is [9, 3], but the tensor in table T
          gather_nd(TABLE(T), TABLE(SELECT 1), dtype => 'float32')     | dtype is float32, but the tensor in table T
          gather_nd(TABLE(T), TABLE(SELECT 1), value_column => 'v')    | value_column is v, but the tensor in table T
          gather_nd(TABLE(T), TABLE(SELECT 1), index_columns => array()) | needs at least one index column
          gather_nd(TABLE(T), TABLE(SELECT 'a'))                       | index column 'a' is string
          gather_nd(TABLE(T), TABLE(SELECT 1), fill => 'x')            | value x is not a float16
          gather_nd(TABLE(T), TABLE(SELECT 1), batch_dims => 2)        | batch_dims is 2
          gather_nd(TABLE(T), TABLE(SELECT 1, 2, 3), index_columns => array('1', '2', '3')) | takes at most 2
          tensor_scatter_nd_add(TABLE(T), TABLE(SELECT 1, 2D))         | value column '2.0' is double
          tensor_scatter_nd_add(TABLE(T), TABLE(SELECT 1, array(1F)), shape => array(1)) | shape is [1]
          tensor_scatter_nd_add(TABLE(T), TABLE(SELECT 1, array(1F)), order_by => 'ts') | column 'ts' is not among
          """)
  void contradictingArgumentsAreAnalysisErrors(String call, String message) {
    String table = table(Layout.COLUMNS).name();
    assertThatThrownBy(
            () -> spark.sql("SELECT * FROM " + call.replace("TABLE(T)", "TABLE(" + table + ")")))
        .isInstanceOf(AnalysisException.class)
        .hasMessageContaining(message.replace("table T", "table " + table).strip());
  }

  @Test
  void singleFeatureIsGatheredAsAnArray() {
    TensorTable table =
        TestTables.create(TensorSpec.of(DType.FLOAT32, Shape.of(3, 1)).withFeatures("clicks"));
    assertThat(rows("SELECT * FROM gather_nd(TABLE(" + table.name() + "), TABLE(SELECT 2 AS i))"))
        .containsExactly("{\"i\":2,\"value\":[0.0]}");
  }

  /** The same snapshot is a larger tensor then. */
  @Test
  void cachedQueryOfTheSizeBeforeIsNotTaken() {
    TensorTable table = table(Layout.ARRAY);
    table.iceberg().refresh();
    long snapshot = table.iceberg().currentSnapshot().snapshotId();
    String query =
        "SELECT count(*) FROM tensor_scatter_nd_update(TABLE(SELECT * FROM "
            + table.name()
            + " VERSION AS OF "
            + snapshot
            + "), TABLE(SELECT 7L AS id, array(1F, 2F, 3F) AS v))";
    Dataset<Row> cached = spark.sql(query).cache();
    long before = cached.head().getLong(0);
    table.resize(before + 5);
    assertThat(spark.sql(query).head().getLong(0)).isEqualTo(before + 5);
    assertThat(cached.head().getLong(0)).isEqualTo(before);
    cached.unpersist();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.table.FeatureTable;
import io.sparknd.table.TensorTable;
import io.sparknd.table.TestTables;
import io.sparknd.table.options.FeatureTableSpec;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.options.Variable;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Tests filters, columns and limits over table functions on stored tables. */
class KeptTensorPushdownTest {
  private final SparkSession spark = TestTables.spark();

  @BeforeEach
  void activate() {
    SparkSession.setActiveSession(spark);
  }

  /** Creates a table in blocks of ten rows. Every third row is written; others are -1. */
  private TensorTable table() {
    TensorTable table =
        TestTables.create(
            TensorSpec.of(DType.FLOAT32, Shape.of(100, 2)).withRowsPerBlock(10).withFill(-1));
    table.scatter(
        Scatter.update(),
        spark.sql("SELECT id, array(float(id), 0.5F) AS v FROM range(0, 100, 3)"),
        TensorColumns.of("v", "id"));
    return table;
  }

  private List<String> rows(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  private String plan(String statement) {
    return spark.sql("EXPLAIN " + statement).head().getString(0);
  }

  private static String added(TensorTable table) {
    return "tensor_scatter_nd_add(TABLE("
        + table.name()
        + "), TABLE(SELECT id % 100 AS i, array(float(id / 7), 1F) AS v FROM range(300)))";
  }

  private static void deleteBlocksExcept(TensorTable table, String kept) throws IOException {
    Path place = Path.of(URI.create(table.iceberg().location()));
    try (Stream<Path> files = Files.walk(place.resolve("data"))) {
      for (Path file : files.filter(each -> each.toString().endsWith(".parquet")).toList()) {
        if (!file.getParent().getFileName().toString().equals(kept)) {
          Files.delete(file);
        }
      }
    }
  }

  @Test
  void filteredScatterEqualsTheFilterOfTheWholeScatter() {
    String call = added(table());
    Dataset<Row> rows = spark.sql("SELECT * FROM " + call);
    List<String> whole =
        spark
            .createDataFrame(rows.collectAsList(), rows.schema())
            .where("i0 >= 28 AND i0 < 42")
            .toJSON()
            .collectAsList();
    assertThat(rows("SELECT * FROM " + call + " WHERE i0 >= 28 AND i0 < 42"))
        .containsExactlyInAnyOrderElementsOf(whole);
  }

  /** If the files of all other blocks are deleted, the requested slices can still be computed. */
  @Test
  void onlyBlocksOfTheFilterAreRead() throws IOException {
    TensorTable table = table();
    deleteBlocksExcept(table, "i0_trunc=30");
    String query = "SELECT value[1] AS v FROM " + added(table) + " WHERE i0 = ";
    assertThat(plan(query + 33)).contains("only slices 33 to 33");
    assertThat(rows(query + 33)).containsExactly("{\"v\":3.5}");
    assertThatThrownBy(() -> rows(query + 43))
        .hasStackTraceContaining("i0_trunc=40")
        .hasStackTraceContaining("does not exist");
  }

  @Test
  void rowsOutsideTheTensorAreErrorsUnderAFilter() {
    TensorTable table = table();
    spark.sql("INSERT INTO " + table.name() + " VALUES (-1, array(1F, 1F))");
    String query = "SELECT * FROM " + added(table) + " WHERE i0 = 33";
    assertThatThrownBy(() -> rows(query)).hasStackTraceContaining("i0 = -1");
  }

  @Test
  void unusedSlicesOfStoredTensorsAreNotRead() throws IOException {
    TensorTable table = table();
    deleteBlocksExcept(table, "none");
    assertThat(rows("SELECT count(*) AS n FROM " + added(table))).containsExactly("{\"n\":100}");
    String gather =
        "FROM gather_nd(TABLE("
            + table.name()
            + "), TABLE(SELECT id + %s AS u FROM"
            + " range(3)))";
    assertThat(rows("SELECT sum(u) AS s " + gather.formatted("5"))).containsExactly("{\"s\":18}");
    assertThatThrownBy(() -> rows("SELECT sum(u) " + gather.formatted("98")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[100] is out of bounds for shape [100, 2]");
  }

  @Test
  void filtersAndLimitsLieBelowAGatherThatReadsOnlyRequestedBlocks() {
    String gather =
        "gather_nd(TABLE("
            + table().name()
            + "), TABLE(SELECT id AS u, id * 2 AS n FROM range(50)))";
    String query = "SELECT * FROM " + gather + " WHERE n = 12";
    String plan = plan(query);
    assertThat(plan).contains("reads only the requested blocks");
    assertThat(plan.indexOf("Filter")).isGreaterThan(plan.indexOf("TensorQuery"));
    assertThat(rows(query)).containsExactly("{\"u\":6,\"n\":12,\"value\":[6.0,0.5]}");
    assertThat(rows("SELECT value FROM " + gather + " LIMIT 4")).hasSize(4);
  }

  @Test
  void columnsAndFiltersOfAGatherByKeysArePushed() {
    FeatureTable users =
        FeatureTable.create(
            spark,
            TestTables.name(),
            FeatureTableSpec.keyedBy("user", "string")
                .with(Variable.of("views", "bigint").withFill(7))
                .with(Variable.of("city", "string"))
                .withBuckets(4));
    users.scatter(spark.sql("SELECT 'u1' AS user, 1L AS views, 'Oslo' AS city"));
    String gather =
        "gather_nd(TABLE("
            + users.name()
            + "), TABLE(SELECT id AS n, concat('u', id) AS user, 'x' AS label FROM range(9)))";
    String query = "SELECT n, views FROM " + gather + " WHERE n < 3 AND user <> 'u2'";
    String plan = plan(query);
    assertThat(plan).contains("[views]").doesNotContain("label", "city");
    assertThat(plan.indexOf("Filter")).isGreaterThan(plan.indexOf("TensorQuery"));
    assertThat(rows(query + " ORDER BY n"))
        .containsExactly("{\"n\":0,\"views\":7}", "{\"n\":1,\"views\":1}");
    assertThat(rows("SELECT label, city FROM " + gather + " WHERE city = 'Oslo'"))
        .containsExactly("{\"label\":\"x\",\"city\":\"Oslo\"}");
    assertThat(rows("SELECT count(*) AS c FROM " + gather)).containsExactly("{\"c\":9}");
  }
}

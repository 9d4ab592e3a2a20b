/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that table functions match columns by name, in any order, and never use a value column as
 * an index.
 */
class ColumnsByNameTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void makeTables() {
    spark.sql("CREATE TEMP VIEW t AS SELECT * FROM VALUES (0, 2), (1, 1), (2, 0) AS t(id, v)");
    spark.sql("CREATE TEMP VIEW turned AS SELECT v, id FROM t");
  }

  @AfterEach
  void dropTables() {
    spark.sql("DROP VIEW IF EXISTS sparknd_test_view");
    spark.sql("DROP VIEW IF EXISTS sparknd_test_named");
    spark.sql("DROP TABLE IF EXISTS sparknd_test_parted");
  }

  private List<String> added(String tensor, String updates, String options) {
    return spark
        .sql(
            String.format(
                "SELECT id, v FROM tensor_scatter_nd_add(TABLE(%s), TABLE(%s), array(3)%s) ORDER"
                    + " BY id",
                tensor, updates, options))
        .toJSON()
        .collectAsList();
  }

  private static final List<String> ADDED =
      List.of("{\"id\":0,\"v\":102}", "{\"id\":1,\"v\":1}", "{\"id\":2,\"v\":0}");

  @Test
  void columnOptionsApplyToBothTables() {
    assertThat(
            added("turned", "SELECT 100 v, 0 id", ", index_columns => 'id', value_column => 'v'"))
        .isEqualTo(ADDED);
    assertThat(added("turned", "SELECT 0 id, 100 v", ", value_column => 'v'")).isEqualTo(ADDED);
    assertThat(added("turned", "SELECT 100 v, 0 id", ", index_columns => 'id'")).isEqualTo(ADDED);
  }

  @Test
  void elementsInColumnsOfTheirOwnBelongInOneArray() {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM tensor_scatter_nd_add(TABLE(SELECT 0 AS id, array(1, 2) AS vec),"
                        + " TABLE(SELECT 0 AS id, 3 AS x, 4 AS y), array(1, 2))"))
        .hasMessageContaining("COLUMNS_HALF_NAMED")
        .hasMessageContaining("select array(...) AS vec instead");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT 100 v, 0 id",
        "SELECT 0 id, 100 v",
        "SELECT 100 AS grad, 0 id",
        "SELECT 0 id, 100 AS grad",
        "SELECT 100 v, 0 AS user",
        "SELECT 0 AS user, 100 AS grad",
        "SELECT 100 V, 0 ID",
      })
  void updatesWithTheTensorsColumnNamesAreMatchedByName(String updates) {
    assertThat(added("t", updates, "")).isEqualTo(ADDED);
  }

  @Test
  void partlyMatchingColumnNamesAreRejected() {
    spark.sql("CREATE TEMP VIEW grid AS SELECT 0 AS i, 0 AS j, 1 AS v");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM tensor_scatter_nd_add(TABLE(grid), TABLE(SELECT 0 AS i, 1 AS k,"
                        + " 2 AS w), array(2, 2))"))
        .hasMessageContaining("[i, k, w]")
        .hasMessageContaining("index columns [i, j] and value column 'v'");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM gather_nd(TABLE(grid), TABLE(SELECT 1 AS k, 0 AS i), array(2,"
                        + " 2))"))
        .hasMessageContaining("[k, i]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SELECT 100 AS amount, 0 AS id | , value_column => 'amount'",
        "SELECT 100 AS v, 0 AS other   | , index_columns => 'other'",
      })
  void columnThatIsIndexInOneTableAndValueInTheOtherIsRejected(String updates, String options) {
    assertThatThrownBy(() -> added("turned", updates, options))
        .hasMessageContaining("index columns [v] and value column 'id'");
  }

  @Test
  void valueColumnOfTheTensorAsGatherIndexIsRejected() {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM gather_nd(TABLE(t), TABLE(SELECT 1 AS v, 0 AS other),"
                        + " array(3))"))
        .hasMessageContaining("[v, other]");
  }

  @Test
  void tableThatIsPartitionedByItsIndexNeedsNamedColumns() {
    spark.sql(
        "CREATE TABLE sparknd_test_parted USING parquet PARTITIONED BY (id) AS SELECT id, v FROM t");
    assertThat(spark.table("sparknd_test_parted").columns()).containsExactly("v", "id");
    assertThat(
            added(
                "sparknd_test_parted",
                "SELECT 0 id, 100 v",
                ", index_columns => 'id', value_column => 'v'"))
        .isEqualTo(ADDED);
    assertThatThrownBy(() -> added("sparknd_test_parted", "SELECT 0 id, 100 v", ""))
        .hasMessageContaining("partitioned by it")
        .hasMessageContaining("value_column");
    assertThatThrownBy(() -> added("SELECT id AS a, v AS b FROM t", "sparknd_test_parted", ""))
        .hasMessageContaining("partitioned by it");
  }

  /** A column that partitions the updates is not taken for their value beside named indices. */
  @Test
  void partitionColumnOfUpdatesIsNotTheValueBesideNamedIndices() {
    spark.sql(
        "CREATE TABLE sparknd_test_parted USING parquet PARTITIONED BY (day) AS SELECT 0 AS uid, 100"
            + " AS delta, 20260501 AS day");
    String indices = ", index_columns => 'uid'";
    for (String updates :
        List.of(
            "sparknd_test_parted",
            "SELECT uid AS id, day FROM sparknd_test_parted",
            "WITH u AS (SELECT * FROM sparknd_test_parted) SELECT * FROM u")) {
      String options = updates.contains("AS id") ? "" : indices;
      assertThatThrownBy(() -> added("t", updates, options))
          .as(updates)
          .hasStackTraceContaining("partitioned by it");
    }
    assertThat(added("t", "sparknd_test_parted", indices + ", value_column => 'delta'"))
        .isEqualTo(ADDED);
    assertThat(added("t", "SELECT uid, delta FROM sparknd_test_parted", indices)).isEqualTo(ADDED);
  }

  /** Both names say what further columns of the tensor are not. */
  @Test
  void columnsMayFollowTheNamedValue() {
    spark.sql(
        "CREATE TABLE sparknd_test_parted USING parquet PARTITIONED BY (day) AS SELECT id, v,"
            + " 20260501 AS day FROM t");
    String names = ", index_columns => 'id', value_column => 'v'";
    assertThat(added("sparknd_test_parted", "SELECT 0 AS id, 100 AS v", names)).isEqualTo(ADDED);
    assertThat(
            spark
                .sql(
                    "SELECT v FROM gather_nd(TABLE(sparknd_test_parted), TABLE(SELECT 1 AS id),"
                        + " array(3)"
                        + names
                        + ")")
                .first()
                .getInt(0))
        .isEqualTo(1);
  }

  @Test
  void indexColumnsWithTheTensorsNamesAreMatchedByName() {
    assertThat(
            spark
                .sql(
                    "SELECT * FROM gather_nd(TABLE(t), TABLE(SELECT 1 AS other, 0 AS id),"
                        + " array(3))")
                .toJSON()
                .collectAsList())
        .containsExactly("{\"other\":1,\"id\":0,\"v\":2}");
    assertThat(
            spark
                .sql("SELECT * FROM gather_nd(TABLE(t), TABLE(SELECT 1 AS a, 0 AS b), array(3))")
                .toJSON()
                .collectAsList())
        .containsExactly("{\"a\":1,\"b\":0,\"v\":1}");
    assertThat(
            spark
                .sql(
                    "SELECT * FROM gather_nd(TABLE(turned), TABLE(SELECT 0 AS id), array(3),"
                        + " index_columns => 'id')")
                .toJSON()
                .collectAsList())
        .containsExactly("{\"id\":0,\"v\":2}");
  }

  @Test
  void orderColumnsAreNotTheValue() {
    assertThat(added("t", "SELECT 0 id, 100 v, 7 ts", ", order_by => 'ts'")).isEqualTo(ADDED);
    assertThat(added("t", "SELECT 7 ts, 0 id, 100 grad", ", order_by => 'ts'")).isEqualTo(ADDED);
  }

  @Test
  void tuplesLongerThanThoseOfTheTensorAreAccepted() {
    assertThat(
            spark
                .sql(
                    "SELECT * FROM tensor_scatter_nd_add(TABLE(SELECT 0 AS i, array(1, 2) AS v),"
                        + " TABLE(SELECT 5 AS u, 0 AS i, 1 AS j), array(1, 2), value_column =>"
                        + " 'u')")
                .toJSON()
                .collectAsList())
        .containsExactly("{\"i\":0,\"v\":[1,7]}");
  }

  @Test
  void lastOfSeveralColumnsIsNotTheValue() {
    spark.sql("CREATE TEMP VIEW deep AS SELECT 0 AS i, array(1, 2) AS v");
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM tensor_scatter_nd_add(TABLE(deep), TABLE(SELECT 0 AS i, 1 AS"
                        + " amount, 0 AS ts), array(1, 2))"))
        .hasMessageContaining("[i, amount, ts]")
        .hasMessageContaining("[i, v]")
        .hasMessageContaining("value_column => '...'");
    assertThat(
            spark
                .sql(
                    "SELECT * FROM tensor_scatter_nd_add(TABLE(deep), TABLE(SELECT 0 AS i, 5 AS"
                        + " amount, 1 AS j), array(1, 2), index_columns => array('i', 'j'))")
                .toJSON()
                .collectAsList())
        .containsExactly("{\"i\":0,\"v\":[1,7]}");
  }

  @Test
  void indexRowsWithTheTensorsValueColumnAreRejected() {
    for (String rows : List.of("SELECT 0 AS other, 1 AS v", "SELECT 1 AS v, 0 AS other")) {
      assertThatThrownBy(
              () -> spark.sql("SELECT * FROM gather_nd(TABLE(t), TABLE(" + rows + "), array(3))"))
          .hasMessageContaining("[id, v]")
          .hasMessageContaining("index_columns => ");
    }
  }

  @Test
  void columnThatTheParamsLackIsRejected() {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM gather_nd(TABLE(turned), TABLE(SELECT 0 AS id), array(3),"
                        + " value_column => 'w')"))
        .hasMessageContaining("'w'")
        .hasMessageContaining("[v, id] of params");
  }

  @Test
  void messagesListAllColumnsOfBothTables() {
    assertThatThrownBy(
            () ->
                spark.sql(
                    "SELECT * FROM tensor_scatter_nd_add(TABLE(SELECT 0 AS i, 0 AS j, 1 AS v, 'x'"
                        + " AS note), TABLE(SELECT 0 AS i, 1 AS k, 2 AS w), array(2, 2),"
                        + " value_column => 'w', index_columns => array('k', 'i'))"))
        .hasMessageContaining("[i, k, w]")
        .hasMessageContaining("[i, j, v, note]");
  }

  @Test
  void partitionColumnThroughAViewIsNotTheValue() {
    spark.sql(
        "CREATE TABLE sparknd_test_parted USING parquet PARTITIONED BY (id) AS SELECT id, v FROM t");
    spark.sql("CREATE VIEW sparknd_test_view AS SELECT * FROM sparknd_test_parted");
    spark.sql("CREATE VIEW sparknd_test_named (a, b) AS SELECT * FROM sparknd_test_parted");
    spark.sql("CREATE TEMP VIEW temporary AS SELECT * FROM sparknd_test_view");
    for (String tensor :
        List.of(
            "sparknd_test_view",
            "temporary",
            "sparknd_test_named",
            "SELECT * FROM sparknd_test_view",
            "SELECT v AS a, CAST(id AS BIGINT) AS b FROM sparknd_test_view")) {
      assertThatThrownBy(() -> added(tensor, "SELECT 0 AS user, 100 AS amount", ""))
          .as(tensor)
          .hasMessageContaining("partitioned by it");
      assertThatThrownBy(() -> added("SELECT id AS x, v AS y FROM t", tensor, ""))
          .as(tensor)
          .hasMessageContaining("partitioned by it");
    }
    assertThat(
            added(
                "sparknd_test_view",
                "SELECT 0 id, 100 v",
                ", index_columns => 'id', value_column => 'v'"))
        .isEqualTo(ADDED);
  }

  @Test
  void partitionColumnOfDataSourceV2FilesIsNotTheValue() {
    spark.sql(
        "CREATE TABLE sparknd_test_parted USING parquet PARTITIONED BY (id) AS SELECT id, v FROM t");
    String location =
        spark
            .sql("DESCRIBE TABLE EXTENDED sparknd_test_parted")
            .where("col_name = 'Location'")
            .first()
            .getString(1);
    spark.conf().set("spark.sql.sources.useV1SourceList", "");
    spark.read().parquet(location).createOrReplaceTempView("files");
    assertThatThrownBy(() -> added("files", "SELECT 0 AS user, 100 AS amount", ""))
        .hasMessageContaining("partitioned by it");
  }

  /** Once inlined, once shared by two references. */
  @Test
  void partitionColumnInACommonTableExpressionIsNotTheValue() {
    spark.sql(
        "CREATE TABLE sparknd_test_parted USING parquet PARTITIONED BY (id) AS SELECT id, v FROM t");
    String call =
        "WITH c AS (SELECT *%s FROM sparknd_test_parted) SELECT * FROM tensor_scatter_nd_add(TABLE(%s),"
            + " TABLE(%s), array(3)%s)";
    for (String more : List.of("", ", rand() AS r")) {
      String c = more.isEmpty() ? "c" : "SELECT v, id FROM c WHERE r < 2";
      assertThatThrownBy(
              () -> spark.sql(String.format(call, more, c, "SELECT 0 AS a, 9 AS b", "")).collect())
          .hasStackTraceContaining("partitioned by it");
      assertThatThrownBy(
              () ->
                  spark
                      .sql(String.format(call, more, "SELECT id AS x, v AS y FROM t", c, ""))
                      .collect())
          .hasStackTraceContaining("partitioned by it");
      assertThat(
              spark
                  .sql(
                      String.format(
                          call,
                          more,
                          c,
                          "SELECT 0 AS id, 100 AS v",
                          ", index_columns => 'id', value_column => 'v'"))
                  .count())
          .isEqualTo(3);
    }
  }

  private TensorScatterNd add(Dataset<Row> tensor, String updates) {
    return TensorScatterNd.of(Scatter.add(), tensor, tensor.sparkSession().sql(updates))
        .withShape(Shape.of(3));
  }

  @Test
  void datasetsDoNotTakeAnIndexForTheValue() {
    List<TensorScatterNd> calls =
        List.of(
            add(spark.table("t"), "SELECT 100 v, 0 id"),
            add(spark.table("t"), "SELECT 100 AS grad, 0 id"),
            add(spark.table("turned"), "SELECT 100 v, 0 id")
                .withIndexColumns("id")
                .withValueColumn("v"),
            add(spark.table("turned"), "SELECT 0 id, 100 v").withValueColumn("v"));
    for (TensorScatterNd call : calls) {
      assertThat(call.toDataset().select("id", "v").orderBy("id").toJSON().collectAsList())
          .isEqualTo(ADDED);
    }
    assertThatThrownBy(() -> add(spark.table("t"), "SELECT 0 id, 1 AS a, 2 AS b").toDataset())
        .hasMessageContaining("[id, a, b]")
        .hasMessageContaining("[id, v]");
    GatherNd gather =
        GatherNd.of(spark.table("turned"), spark.sql("SELECT 1 AS other, 0 AS id"))
            .withShape(Shape.of(3));
    assertThat(gather.withIndexColumns("id").toDataset().toJSON().collectAsList())
        .containsExactly("{\"other\":1,\"id\":0,\"v\":2}");
    assertThatThrownBy(() -> gather.withValueColumn("w").toDataset()).hasMessageContaining("'w'");
  }

  @Test
  void columnsThatDifferInCaseAreDistinctIfTheSessionIsCaseSensitive() {
    spark.conf().set("spark.sql.caseSensitive", "true");
    assertThat(added("t", "SELECT 100 v, 0 id", "")).isEqualTo(ADDED);
    assertThat(added("t", "SELECT 0 AS ID, 100 AS V", "")).as("by position").isEqualTo(ADDED);
    assertThatThrownBy(() -> added("t", "SELECT 100 AS V, 7 AS ID, 0 AS id", ""))
        .hasMessageContaining("[V, ID, id]");
  }

  @Test
  void caseSensitivityOfTheDatasetsSessionApplies() {
    spark.conf().set("spark.sql.caseSensitive", "true");
    Dataset<Row> tensor = spark.sql("SELECT id, id v FROM range(3)");
    Dataset<Row> updates = spark.sql("SELECT 100L AS V, 0L AS id");
    SparkSession.setActiveSession(LocalSpark.session());
    TensorScatterNd add =
        TensorScatterNd.of(Scatter.add(), tensor, updates)
            .withShape(Shape.of(3))
            .withIndexColumns("id")
            .withValueColumn("v");
    assertThatThrownBy(add::toDataset).hasMessageContaining("column 'v' is not among [V, id]");
  }
}

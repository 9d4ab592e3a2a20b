/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests table functions combined with other SQL. */
class TableFunctionsTest {
  private final SparkSession spark = LocalSpark.session().newSession();

  @TempDir Path folder;

  @BeforeEach
  void makeViews() {
    spark.sql(
        "CREATE TEMP VIEW emb AS SELECT id, array(float(id), float(id * 10)) AS vec FROM"
            + " range(4) AS t(id)");
    spark.sql(
        "CREATE TEMP VIEW clicks AS SELECT * FROM VALUES (2, 'x'), (0, 'y'), (2, 'z') AS"
            + " c(user, label)");
    spark.sql(
        "CREATE TEMP VIEW grads AS SELECT * FROM VALUES (1, array(0.5F, 0.25F), 2), (3,"
            + " array(1.0F, 1.0F), 1), (1, array(0.125F, 2.0F), 1) AS g(id, grad, ts)");
  }

  @AfterEach
  void dropTables() {
    spark.catalog().clearCache();
    spark.sql("DROP TABLE IF EXISTS sparknd_test_emb");
    spark.sql("DROP TABLE IF EXISTS sparknd_test_next");
  }

  private List<String> rows(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  private static final String ADDED =
      "tensor_scatter_nd_add(TABLE(emb), TABLE(SELECT id, grad FROM grads), array(4, 2))";

  @Test
  void aGatherKeepsTheOtherColumns() {
    assertThat(
            rows("SELECT * FROM gather_nd(TABLE(emb), TABLE(clicks), array(4, 2)) ORDER BY label"))
        .containsExactly(
            "{\"user\":2,\"label\":\"x\",\"vec\":[2.0,20.0]}",
            "{\"user\":0,\"label\":\"y\",\"vec\":[0.0,0.0]}",
            "{\"user\":2,\"label\":\"z\",\"vec\":[2.0,20.0]}");
  }

  @Test
  void updatesOfOneSliceAreAdded() {
    assertThat(rows("SELECT * FROM " + ADDED + " ORDER BY id"))
        .containsExactly(
            "{\"id\":0,\"vec\":[0.0,0.0]}",
            "{\"id\":1,\"vec\":[1.625,12.25]}",
            "{\"id\":2,\"vec\":[2.0,20.0]}",
            "{\"id\":3,\"vec\":[4.0,31.0]}");
  }

  @Test
  void orderByDeterminesTheLastUpdate() {
    String updated =
        "SELECT vec FROM tensor_scatter_nd_update(TABLE(emb), TABLE(grads), shape => array(4, 2),"
            + " value_column => 'grad', order_by => 'ts') WHERE id = 1";
    assertThat(rows(updated)).containsExactly("{\"vec\":[0.5,0.25]}");
  }

  /** Spark reads larger files first, whatever their names and ages are. */
  @Test
  void updatesOfSeveralFilesNeedAnOrder() {
    String few = "SELECT 1L AS id, array(1F, 1F) AS grad, 1L AS ts";
    String many =
        "SELECT if(id < 999, 3L, 1L) AS id, array(2F, float(id)), id + 2 FROM range(1000)";
    spark.sql(few).coalesce(1).write().parquet(folder.resolve("day-1").toString());
    spark
        .sql(many)
        .toDF("id", "grad", "ts")
        .coalesce(1)
        .write()
        .parquet(folder.resolve("day-2").toString());
    spark
        .read()
        .parquet(folder.resolve("day-1").toString(), folder.resolve("day-2").toString())
        .createOrReplaceTempView("days");
    String updated =
        "SELECT vec FROM tensor_scatter_nd_update(TABLE(emb), TABLE(SELECT %s FROM days),"
            + " shape => array(4, 2), value_column => 'grad'%s) WHERE id = 1";
    assertThat(rows(updated.formatted("id, grad", ""))).containsExactly("{\"vec\":[1.0,1.0]}");
    assertThat(rows(updated.formatted("*", ", order_by => 'ts'")))
        .containsExactly("{\"vec\":[2.0,999.0]}");
  }

  @Test
  void indexColumnsBeyondTheTensorsSelectElements() {
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_update(TABLE(emb), TABLE(SELECT 1, 1, 7.0F), "
                    + "array(4, 2)) WHERE id = 1"))
        .containsExactly("{\"id\":1,\"vec\":[1.0,7.0]}");
    assertThat(
            rows(
                "SELECT * FROM gather_nd(TABLE(emb), TABLE(SELECT 'a' AS q, 3 AS i, 1 AS j),"
                    + " array(4, 2), index_columns => array('i', 'j'))"))
        .containsExactly("{\"q\":\"a\",\"i\":3,\"j\":1,\"vec\":30.0}");
  }

  @Test
  void slicesMayBeFlatArrays() {
    String flat = "SELECT 0 AS i, array(1, 2, 3, 4) AS v";
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_add(TABLE("
                    + flat
                    + "), TABLE("
                    + flat
                    + "), array(1, 2, 2))"))
        .containsExactly("{\"i\":0,\"v\":[2,4,6,8]}");
    assertThat(
            rows("SELECT v FROM gather_nd(TABLE(" + flat + "), TABLE(SELECT 0), array(1, 2, 2))"))
        .containsExactly("{\"v\":[[1,2],[3,4]]}");
    for (String part : List.of("SELECT 0 AS i, 3 AS r, 10 AS v", "SELECT 0 AS i, 1 r, 0 c, 10 v")) {
      assertThatThrownBy(
              () ->
                  rows(
                      "SELECT * FROM tensor_scatter_nd_add(TABLE("
                          + flat
                          + "), TABLE("
                          + part
                          + "), array(1, 2, 2))"))
          .as(part)
          .hasMessageContaining("has slices of shape [2, 2] as flat arrays");
    }
  }

  @Test
  void indexColumnsKeepTheirTypes() {
    StructType schema =
        spark
            .sql(
                "SELECT * FROM tensor_scatter_nd_max(TABLE(SELECT cast(0 AS tinyint) AS a,"
                    + " cast(0 AS smallint) AS b, 1.0D AS v), TABLE(SELECT 0, 0, 2.0D), array(1,"
                    + " 1))")
            .schema();
    assertThat(schema.simpleString()).isEqualTo("struct<a:tinyint,b:smallint,v:double>");
  }

  @Test
  void narrowIndexColumnsAreWidenedCorrectly() {
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_max(TABLE(SELECT cast(id AS tinyint) AS a,"
                    + " 1.0D AS v FROM range(3)), TABLE(SELECT 2, 2.0D), array(3)) ORDER BY a"))
        .containsExactly("{\"a\":0,\"v\":1.0}", "{\"a\":1,\"v\":1.0}", "{\"a\":2,\"v\":2.0}");
  }

  @Test
  void narrowIndexColumnsHoldTheLastIndex() {
    assertThat(
            rows(
                "SELECT * FROM tensor_scatter_nd_add(TABLE(SELECT 0Y AS a, 1 AS v), TABLE(SELECT"
                    + " 127 AS a, 5 AS v), array(128)) WHERE v <> 0 ORDER BY a"))
        .containsExactly("{\"a\":0,\"v\":1}", "{\"a\":127,\"v\":5}");
  }

  @Test
  void stringsThatAreNotUtf8AreAnError() {
    String bytes = "scatter_nd(TABLE(SELECT 0, CAST(X'61FF' AS %s) AS v), array(1), 'none')";
    assertThatThrownBy(() -> rows("SELECT * FROM " + bytes.formatted("string")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining(
            "the value at [0], row 0 of partition 0 of updates, has bytes that are not UTF-8");
    assertThat(rows("SELECT hex(v) AS v FROM " + bytes.formatted("binary")))
        .containsExactly("{\"v\":\"61FF\"}");
  }

  @Test
  void partsOfComplexNumbersMayHaveSparksOwnNames() {
    assertThat(rows("SELECT v FROM scatter_nd(TABLE(SELECT 0, struct(1F, 2F) AS v), array(1))"))
        .containsExactly("{\"v\":{\"re\":1.0,\"im\":2.0}}");
  }

  @Test
  void functionsNest() {
    assertThat(
            rows(
                "SELECT user, vec FROM gather_nd(TABLE(SELECT * FROM "
                    + ADDED
                    + "), TABLE(SELECT"
                    + " 3 AS user), array(4, 2))"))
        .containsExactly("{\"user\":3,\"vec\":[4.0,31.0]}");
  }

  @Test
  void aQueryJoinsItself() {
    spark.sql("CREATE TEMP VIEW next AS SELECT * FROM " + ADDED);
    assertThat(
            rows(
                "SELECT a.id, b.vec[0] - e.vec[0] AS d FROM next a JOIN next b ON a.id = b.id JOIN"
                    + " emb e ON e.id = b.id WHERE b.vec[1] > 10 ORDER BY a.id"))
        .containsExactly("{\"id\":1,\"d\":0.625}", "{\"id\":2,\"d\":0.0}", "{\"id\":3,\"d\":1.0}");
  }

  @Test
  void commonTableExpressionsWorkOnBothSides() {
    assertThat(
            rows(
                "WITH some AS (SELECT id, vec FROM emb WHERE id < 3) SELECT count(*) AS n, sum(vec[0])"
                    + " AS s FROM tensor_scatter_nd_add(TABLE(some), TABLE(some), array(4, 2))"))
        .containsExactly("{\"n\":4,\"s\":6.0}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"true", "false"})
  void inputsMayBeAggregatesAndOutputsAggregated(String adaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", adaptive);
    assertThat(
            rows(
                "SELECT id % 2 AS odd, sum(vec[0]) AS s FROM tensor_scatter_nd_add(TABLE(emb),"
                    + " TABLE(SELECT id, array(cast(sum(grad[0]) AS float), 0.0F) FROM grads GROUP"
                    + " BY id), array(4, 2)) GROUP BY 1 ORDER BY 1"))
        .containsExactly("{\"odd\":0,\"s\":2.0}", "{\"odd\":1,\"s\":5.625}");
  }

  @Test
  void shapeMayBeATableProperty() {
    spark.sql(
        "CREATE TABLE sparknd_test_emb USING parquet TBLPROPERTIES ('sparknd.shape' = '5, 2')"
            + " AS SELECT * FROM emb");
    spark.sql(
        "CREATE TABLE sparknd_test_next USING parquet AS SELECT * FROM"
            + " tensor_scatter_nd_add(TABLE(sparknd_test_emb), TABLE(SELECT id, grad FROM grads))");
    assertThat(rows("SELECT count(*) AS n, sum(vec[1]) AS s FROM sparknd_test_next"))
        .containsExactly("{\"n\":5,\"s\":63.25}");
    assertThatThrownBy(
            () -> spark.sql("SELECT * FROM gather_nd(TABLE(sparknd_test_next), TABLE(SELECT 1))"))
        .hasMessageContaining("set the property sparknd.shape of the table of argument 'params'");
  }

  @Test
  void cachedResultsAreTheSame() {
    spark.sql("CACHE TABLE next AS SELECT * FROM " + ADDED);
    assertThat(rows("SELECT sum(vec[1]) AS s FROM next")).containsExactly("{\"s\":63.25}");
    assertThat(rows("SELECT vec FROM next WHERE id = 3")).containsExactly("{\"vec\":[4.0,31.0]}");
    assertThat(spark.table("next").queryExecution().executedPlan().toString())
        .contains("Scan In-memory table next");
  }

  @Test
  void limitAndColumnPruningWork() {
    assertThat(spark.sql("SELECT 1 FROM " + ADDED + " LIMIT 2").collectAsList()).hasSize(2);
    assertThat(spark.sql("SELECT 1 FROM " + ADDED).count()).isEqualTo(4);
    assertThat(
            rows("SELECT label FROM gather_nd(TABLE(emb), TABLE(clicks), array(4, 2)) ORDER BY 1"))
        .containsExactly("{\"label\":\"x\"}", "{\"label\":\"y\"}", "{\"label\":\"z\"}");
  }

  @Test
  void resultMayOverwriteTheTableThatWasRead() {
    spark.sql("CREATE TABLE sparknd_test_emb USING parquet AS SELECT * FROM emb");
    spark.sql(
        "CREATE TABLE sparknd_test_next USING parquet AS SELECT * FROM"
            + " tensor_scatter_nd_update(TABLE(sparknd_test_emb), TABLE(SELECT id, grad FROM grads"
            + " WHERE id = 3), array(4, 2))");
    spark.sql("INSERT OVERWRITE sparknd_test_emb SELECT * FROM sparknd_test_next");
    assertThat(rows("SELECT vec FROM sparknd_test_emb WHERE id = 3"))
        .containsExactly("{\"vec\":[1.0,1.0]}");
  }

  @Test
  void columnsWithTheSameNameAreDistinguished() {
    Dataset<Row> rows =
        spark.sql(
            "SELECT * FROM gather_nd(TABLE(emb), TABLE(SELECT 1 AS id, 2 AS vec), array(4, 2))");
    assertThat(rows.columns()).containsExactly("id", "vec", "vec");
    assertThat(rows.collectAsList().get(0).getInt(1)).isEqualTo(2);
  }

  @Test
  void policiesApplyToIndicesOutOfBounds() {
    String gather = "SELECT vec FROM gather_nd(TABLE(emb), TABLE(SELECT %s AS i), array(4, 2)%s)";
    assertThat(rows(gather.formatted("9", ", fill => -1.5")))
        .containsExactly("{\"vec\":[-1.5,-1.5]}");
    assertThat(rows(gather.formatted("9", ", bad_indices => 'fill', fill => -1.5")))
        .containsExactly("{\"vec\":[-1.5,-1.5]}");
    assertThat(rows(gather.formatted("9", ", bad_indices => 'clip'")))
        .containsExactly("{\"vec\":[3.0,30.0]}");
    assertThat(rows(gather.formatted("-1", ", negative => 'wrap'")))
        .containsExactly("{\"vec\":[3.0,30.0]}");
    assertThat(rows(gather.formatted("9", ", bad_indices => 'ignore'")))
        .containsExactly("{\"vec\":[0.0,0.0]}");
    assertThatThrownBy(() -> rows(gather.formatted("9", "")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[9] is out of bounds for shape [4, 2]");
  }

  /** As TensorFlow's bad_indices_policy of this name. */
  @Test
  void ignoredIndicesMayBeNegative() {
    String gather =
        "SELECT vec FROM gather_nd(TABLE(emb), TABLE(SELECT -1 AS i), array(4, 2), bad_indices =>"
            + " 'ignore'%s)";
    assertThat(rows(gather.formatted(""))).containsExactly("{\"vec\":[0.0,0.0]}");
    assertThat(rows(gather.formatted(", negative => 'wrap'")))
        .containsExactly("{\"vec\":[3.0,30.0]}");
    assertThatThrownBy(() -> rows(gather.formatted(", negative => 'error'")))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[-1] is negative")
        .hasMessageContaining("or to 'oob' to treat it as out of bounds");
    String update = "TABLE(SELECT * FROM VALUES (-1, 9D), (1, 2D), (7, 9D) AS t(i, v)), array(3)";
    assertThat(rows("SELECT v FROM scatter_nd(" + update + ", bad_indices => 'ignore') ORDER BY i"))
        .containsExactly("{\"v\":0.0}", "{\"v\":2.0}", "{\"v\":0.0}");
    for (String policy : List.of("", ", bad_indices => 'clip'")) {
      assertThatThrownBy(() -> rows("SELECT v FROM scatter_nd(" + update + policy + ")"))
          .hasMessageContaining("[-1] is negative");
    }
  }

  /** As PyTorch's include_self=False. */
  @ParameterizedTest
  @CsvSource({
    "mean, 4, 6, 3.3333333333333335, 5.0",
    "mul, 4, 6, 0.0, 24.0",
    "max, -3, -2, 0.0, -2.0",
    "min, 3, 2, 0.0, 2.0",
    "sub, 3, 2, -5.0, 1.0",
    "add, 3, 2, 5.0, 5.0"
  })
  void theFirstUpdateReplacesAnElementThatIsNotIncluded(
      String reduction, String first, String second, String included, String excluded) {
    String updates =
        "TABLE(SELECT * FROM VALUES (0, %sD, 1), (0, %sD, 2) AS u(i, v, at))"
            .formatted(first, second);
    String call =
        "SELECT v FROM scatter_nd(%s, array(2), '%s', order_by => 'at', index_columns => 'i',"
            + " value_column => 'v'%s) ORDER BY i";
    String untouched = "{\"v\":0.0}";
    assertThat(rows(call.formatted(updates, reduction, "")))
        .isEqualTo(rows(call.formatted(updates, reduction, ", include_self => true")))
        .containsExactly("{\"v\":" + included + "}", untouched);
    assertThat(rows(call.formatted(updates, reduction, ", include_self => false")))
        .containsExactly("{\"v\":" + excluded + "}", untouched);
    if (!reduction.equals("mean")) {
      String into =
          "SELECT v FROM tensor_scatter_nd_%s(TABLE(SELECT * FROM VALUES (0, 100D), (1, 7D) AS"
              + " t(i, v)), %s, array(2), order_by => 'at', value_column => 'v', include_self =>"
              + " false) ORDER BY i";
      assertThat(rows(into.formatted(reduction, updates)))
          .containsExactly("{\"v\":" + excluded + "}", "{\"v\":7.0}");
    }
  }

  @Test
  void nullsNameTheirRow() {
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM scatter_nd(TABLE(SELECT * FROM VALUES (1, 2.0D), (NULL, 1.0D)"
                        + " AS t(i, v)), array(4))"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has a null in index column 'i'");
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM scatter_nd(TABLE(SELECT * FROM VALUES (1, 2.0D), (2, NULL)"
                        + " AS t(i, v)), array(4))"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("row ");
  }

  @Test
  void duplicatesAreRejectedOnRequest() {
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM tensor_scatter_nd_add(TABLE(emb), TABLE(SELECT id, grad FROM"
                        + " grads), array(4, 2), duplicates => 'error')"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[1] occurs more than once");
  }

  @Test
  void duplicateRowsOfTheTensorAreRejected() {
    assertThatThrownBy(
            () ->
                rows(
                    "SELECT * FROM tensor_scatter_nd_add(TABLE(SELECT * FROM emb UNION ALL SELECT *"
                        + " FROM emb), TABLE(SELECT id, grad FROM grads), array(4, 2))"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("tensor has more than one row of index [0]: keep one of them");
  }

  @Test
  void explainNamesTheOperation() {
    String plan = spark.sql("SELECT * FROM " + ADDED).queryExecution().executedPlan().toString();
    assertThat(plan)
        .contains(
            "TensorQuery tensor_scatter_nd_add(tensor => float32[4, 2], index_columns => [id],"
                + " value_column => grad, bad_indices => error, negative => error, duplicates =>"
                + " in_order)")
        .doesNotContain("RowToColumnar");
  }

  @Test
  void explainNamesTheArgumentsOfAGather() {
    String gather = "EXPLAIN SELECT * FROM gather_nd(TABLE(emb), TABLE(clicks), array(4, 2)%s)";
    assertThat(spark.sql(gather.formatted("")).first().getString(0))
        .contains(
            "gather_nd(params => float32[4, 2], index_columns => [user], bad_indices => error,"
                + " negative => error)");
    assertThat(spark.sql(gather.formatted(", fill => 1.5, negative => 'oob'")).first().getString(0))
        .contains("fill => 1.5, negative => oob)");
  }

  @Test
  void describeShowsUsageAndAnExampleThatRuns() {
    for (String name :
        List.of(
            "gather_nd",
            "scatter_nd",
            "tensor_scatter_nd_update",
            "tensor_scatter_nd_add",
            "tensor_scatter_nd_sub",
            "tensor_scatter_nd_mul",
            "tensor_scatter_nd_min",
            "tensor_scatter_nd_max")) {
      String text =
          String.join(
              "\n",
              spark
                  .sql("DESCRIBE FUNCTION EXTENDED " + name)
                  .as(org.apache.spark.sql.Encoders.STRING())
                  .collectAsList());
      assertThat(text).contains("Usage: " + name + "(TABLE(", "Arguments:", "Since: 0.1.0");
      String example = text.replaceAll("(?s).*> (SELECT .*?);.*", "$1");
      assertThat(spark.sql(example).collectAsList()).isNotEmpty();
    }
  }
}

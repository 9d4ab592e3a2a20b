/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests what optimized plans push below table functions, and what they keep above. */
class PushdownPlansTest {
  private static final String GATHER = "gather_nd(TABLE(emb), TABLE(clicks), array(40, 2))";
  private static final String ADD = "tensor_scatter_nd_add(TABLE(emb), TABLE(grads), array(40, 2))";

  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void makeViews() {
    // ranges are not evaluated by the optimizer, as a list of rows would be
    view("emb", "SELECT id, array(float(id), float(id * 10)) AS vec FROM range(40) AS t(id)");
    view("clicks", "SELECT id % 7 AS user, id AS n, string(id) AS label FROM range(30) AS t(id)");
    view("grads", "SELECT id % 5 AS id, array(float(id), 0.5F) AS grad FROM range(20) AS t(id)");
    view("counts", "SELECT id % 5 AS id, int(id) AS v FROM range(20) AS t(id)");
  }

  private void view(String name, String query) {
    spark.sql("CREATE OR REPLACE TEMP VIEW " + name + " AS " + query);
  }

  private LogicalPlan optimized(String statement) {
    return ClassicSpark.of(spark.sql(statement)).queryExecution().optimizedPlan();
  }

  /** Returns the optimized plan from the query's node down. */
  private String below(String statement) {
    String plan = optimized(statement).toString();
    return plan.substring(plan.indexOf("TensorQuery"));
  }

  /** Returns the optimized plan above the query's node. */
  private String above(String statement) {
    String plan = optimized(statement).toString();
    return plan.substring(0, plan.indexOf("TensorQuery"));
  }

  private static long count(String text, String word) {
    Matcher found = Pattern.compile(Pattern.quote(word)).matcher(text);
    return found.results().count();
  }

  private List<String> rows(String statement) {
    return spark.sql(statement).toJSON().collectAsList();
  }

  @Test
  void filterOnColumnsThatAGatherPassesLiesBelowIt() {
    String query = "SELECT * FROM " + GATHER + " WHERE label = '4' AND user < 6";
    assertThat(above(query)).doesNotContain("Filter");
    assertThat(below(query)).contains("Filter");
    assertThat(rows(query))
        .containsExactly("{\"user\":4,\"n\":4,\"label\":\"4\",\"vec\":[4.0,40.0]}");
  }

  @Test
  void filterOnIndexColumnsReachesTheTensorOfAGather() {
    String plan = below("SELECT * FROM " + GATHER + " WHERE user = 3");
    // the tensor, its index columns, and the rows
    assertThat(count(plan, "Filter")).isEqualTo(3);
    String wraps = GATHER.substring(0, GATHER.length() - 1) + ", negative => 'wrap')";
    assertThat(count(below("SELECT * FROM " + wraps + " WHERE user = 3"), "Filter")).isEqualTo(1);
  }

  @Test
  void filterOnTheValueStaysAboveAGather() {
    String query = "SELECT n FROM " + GATHER + " WHERE vec[0] = 3 AND n > 4";
    assertThat(above(query)).contains("Filter", "vec").doesNotContain("> 4");
    assertThat(below(query)).contains("> 4");
    assertThat(rows(query)).hasSize(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "rand() < 0.5",
        "user = (SELECT max(id) FROM grads)",
        "user IN (SELECT id FROM grads)"
      })
  void randomFiltersAndFiltersWithSubqueriesStayAbove(String condition) {
    assertThat(below("SELECT * FROM " + GATHER + " WHERE " + condition))
        .doesNotContainPattern("Filter (?!isnotnull)");
    assertThat(
            below("SELECT * FROM " + ADD + " WHERE " + condition.replace("user", "id"))
                .lines()
                .filter(line -> line.contains("TensorQuery")))
        .noneMatch(line -> line.contains("only slices"));
  }

  @Test
  void filterOnIndicesOfAScatterReachesTensorAndUpdates() {
    String query = "SELECT * FROM " + ADD + " WHERE id = 3";
    assertThat(below(query)).contains("only slices 3 to 3");
    assertThat(count(below(query), "Filter")).isEqualTo(3);
    assertThat(above(query)).contains("Filter");
    assertThat(rows(query)).containsExactly("{\"id\":3,\"vec\":[45.0,32.0]}");
  }

  @Test
  void comparisonsThatKeepNearlyAllDoNotSlowDownScans() {
    assertThat(below("SELECT * FROM " + ADD + " WHERE id >= 4"))
        .contains("only slices 4 to 39")
        .doesNotContain("Filter");
    assertThat(count(below("SELECT * FROM " + ADD + " WHERE id >= 35 AND id <= 38"), "Filter"))
        .isEqualTo(3);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "id > 5 AND 10 / (id - 5) > 9",
        "id >= 3 AND id <> 5 AND 10 / (id - 5) > 9",
        "vec[0] <> 5 AND id > 2 AND 10 / (id - 5) > 9"
      })
  void guardsOfConditionsThatFailStayBeforeThem(String condition) {
    assertThat(rows("SELECT id FROM " + ADD + " WHERE " + condition)).containsExactly("{\"id\":6}");
  }

  @Test
  void conditionThatFailsIsNotEvaluatedForSlicesThatNoRowNames() {
    String even = GATHER.replace("TABLE(clicks)", "TABLE(SELECT id * 2 AS u FROM range(9))");
    assertThat(rows("SELECT u FROM " + even + " WHERE 10 / (u - 5) > 9"))
        .containsExactly("{\"u\":6}");
    assertThat(rows("SELECT u, vec[0] AS v FROM " + even + " WHERE 10 / (u - 5) > 9 AND u > 1"))
        .containsExactly("{\"u\":6,\"v\":6.0}");
  }

  @Test
  void updatesWhoseOrderCountsAreFilteredOnlyWhereTheyKeepIt() {
    String shuffled =
        "tensor_scatter_nd_add(TABLE(emb), TABLE(SELECT /*+ REPARTITION(3) */ * FROM grads),"
            + " array(40, 2))";
    assertThat(count(below("SELECT * FROM " + shuffled + " WHERE id = 3"), "Filter")).isEqualTo(2);
    String integers =
        "scatter_nd(TABLE(SELECT /*+ REPARTITION(3) */ * FROM counts), array(5), 'add')";
    String plan = below("SELECT * FROM " + integers + " WHERE id = 3");
    assertThat(count(plan, "Filter")).isEqualTo(1);
    assertThat(rows("SELECT * FROM " + integers + " WHERE id = 3"))
        .containsExactly("{\"id\":3,\"v\":42}");
  }

  /** The first of them is not subtracted. */
  @Test
  void subtractedUpdatesWithoutTheElementAreFilteredOnlyWhereTheyKeepTheirOrder() {
    Dataset<Row> shuffled = spark.sql("SELECT /*+ REPARTITION(3) */ * FROM counts");
    ScatterNd scatter = ScatterNd.of(shuffled, Shape.of(5));
    Scatter sub = Scatter.of(Reduction.SUB);
    assertThat(filters(scatter.reducedBy(sub))).isEqualTo(1);
    assertThat(filters(scatter.reducedBy(sub.withSelf(IncludeSelf.EXCLUDED)))).isZero();
  }

  private static long filters(ScatterNd scatter) {
    Dataset<Row> one = scatter.toDataset().where("id = 3");
    String plan = ClassicSpark.of(one).queryExecution().optimizedPlan().toString();
    return count(plan.substring(plan.indexOf("TensorQuery")), "Filter");
  }

  @Test
  void functionsOfUsersAreNotCalledForTheRowsOfTables() {
    spark.udf().register("odd", (UDF1<Long, Boolean>) id -> id % 2 == 1, DataTypes.BooleanType);
    String query = "SELECT id FROM " + ADD + " WHERE odd(id) AND id < 4";
    assertThat(below(query)).contains("only slices 0 to 3").doesNotContain("odd");
    assertThat(rows(query)).containsExactlyInAnyOrder("{\"id\":1}", "{\"id\":3}");
  }

  @Test
  void nestedQueriesAreFilteredToTheirInputs() {
    String query =
        "SELECT * FROM gather_nd(TABLE(SELECT * FROM "
            + ADD
            + "), TABLE(clicks), array(40, 2)) WHERE user = 3 AND n = 3";
    assertThat(below(query)).contains("only slices 3 to 3");
    assertThat(rows(query))
        .containsExactly("{\"user\":3,\"n\":3,\"label\":\"3\",\"vec\":[45.0,32.0]}");
  }

  @Test
  void unusedColumnsOfRowsAreNotRead() {
    String plan = below("SELECT n, vec FROM " + GATHER);
    assertThat(plan).contains("vec").doesNotContain("label");
  }

  @Test
  void unusedSlicesAreNotGathered() {
    String query = "SELECT n FROM " + GATHER + " WHERE n < 2";
    assertThat(below(query))
        .contains("gather_nd(shape => [40, 2], index_columns => [user]", "without slices")
        .doesNotContain("vec");
    assertThat(rows(query)).containsExactlyInAnyOrder("{\"n\":0}", "{\"n\":1}");
    assertThat(below("SELECT count(*) FROM " + GATHER)).contains("without slices");
    assertThat(spark.sql("SELECT 1 FROM " + GATHER).count()).isEqualTo(30);
  }

  @Test
  void unusedSlicesOfAScatterAreNotComputed() {
    String query = "SELECT count(*) AS n, sum(id) AS s FROM " + ADD;
    assertThat(below(query)).contains("scatter_nd(shape => int8[40]").doesNotContain("grad", "vec");
    assertThat(rows(query)).containsExactly("{\"n\":40,\"s\":780}");
    String inner =
        "tensor_scatter_nd_add(TABLE(emb), TABLE(SELECT 1L AS id, 1L AS j, 1F AS vec), array(40, 2))";
    assertThat(below("SELECT id FROM " + inner)).doesNotContain("int8");
    assertThat(rows("SELECT count(*) AS n FROM " + inner)).containsExactly("{\"n\":40}");
  }

  @Test
  void updatesOfUnusedSlicesAreChecked() {
    view("late", "SELECT id + 39 AS id, array(0F, 0F) AS grad FROM range(2) AS t(id)");
    String bad = ADD.replace("grads", "late");
    for (String query :
        List.of("SELECT count(*) FROM " + bad, "SELECT id FROM " + bad + " LIMIT 1")) {
      assertThatThrownBy(() -> rows(query))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("[40] is out of bounds for shape [40]");
    }
    String ignored = bad.replace("array(40, 2)", "array(40, 2), bad_indices => 'ignore'");
    assertThat(rows("SELECT count(*) AS n FROM " + ignored)).containsExactly("{\"n\":40}");
    String once = ADD.replace("array(40, 2)", "array(40, 2), duplicates => 'error'");
    assertThatThrownBy(() -> rows("SELECT count(*) FROM " + once))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("duplicate");
  }

  @Test
  void limitLiesBelowAGather() {
    String query = "SELECT vec[0] AS v FROM " + GATHER + " LIMIT 3";
    assertThat(below(query)).contains("only slices of 3 rows", "LocalLimit 3");
    assertThat(above(query)).doesNotContain("Limit");
    String many = GATHER.replace("TABLE(clicks)", "TABLE(SELECT id % 7 AS u FROM range(5000))");
    assertThat(below("SELECT * FROM " + many + " LIMIT 3000"))
        .contains("LocalLimit 3000")
        .doesNotContain("of 3000 rows");
    assertThat(rows(query)).hasSize(3);
    assertThat(below("SELECT * FROM " + GATHER + " WHERE vec[0] > 2 LIMIT 3"))
        .doesNotContain("Limit");
    assertThat(below("SELECT * FROM " + GATHER + " ORDER BY n LIMIT 3")).doesNotContain("Limit");
    assertThat(below("SELECT * FROM " + ADD + " LIMIT 3")).doesNotContain("Limit");
  }

  @Test
  void filterBelowAGatherStillGivesFiltersToTheOtherSideOfAJoin() {
    String query =
        "SELECT * FROM (SELECT * FROM "
            + GATHER
            + " WHERE user = 3) AS g JOIN counts ON g.user = counts.id";
    // the tensor, its index columns, the rows, and the other side
    assertThat(count(optimized(query).toString(), "Filter")).isEqualTo(4);
    assertThat(rows(query)).hasSize(16);
  }

  @Test
  void statisticsTellTheRowsAndTheSizeOfARange() {
    LogicalPlan whole = optimized("SELECT * FROM " + ADD);
    LogicalPlan some = optimized("SELECT * FROM " + ADD + " WHERE id IN (3, 4)");
    assertThat(whole.maxRows().get()).isEqualTo(40L);
    assertThat(some.maxRows().get()).isEqualTo(2L);
    assertThat(some.stats().sizeInBytes().toLong() * 10)
        .isLessThan(whole.stats().sizeInBytes().toLong());
  }

  @Test
  void smallResultsAreBroadcast() {
    view("many", "SELECT id, string(id) AS s FROM range(100000) AS t(id)");
    spark.conf().set("spark.sql.autoBroadcastJoinThreshold", "2000");
    String join = "SELECT * FROM many JOIN " + ADD.replace("40, 2", "4000, 2") + " r ON %s";
    assertThat(physical(join.formatted("many.id = r.id"))).doesNotContain("BroadcastHashJoin");
    assertThat(physical(join.formatted("many.id = r.id AND r.id < 20")))
        .contains("BroadcastHashJoin");
  }

  private String physical(String statement) {
    return ClassicSpark.of(spark.sql(statement)).queryExecution().sparkPlan().toString();
  }

  @Test
  void slicesThatAConditionListsAreNamed() {
    String query = "SELECT * FROM " + ADD + " WHERE id IN (3, 30)";
    assertThat(below(query)).contains("only slices [3, 30]");
    assertThat(optimized(query).maxRows().get()).isEqualTo(2L);
    assertThat(rows(query))
        .containsExactlyInAnyOrder(
            "{\"id\":3,\"vec\":[45.0,32.0]}", "{\"id\":30,\"vec\":[30.0,300.0]}");
    assertThat(below("SELECT * FROM " + GATHER + " WHERE user IN (3, 5)"))
        .contains("only slices [3, 5]");
  }

  /** If an index could be bad, all are checked before any row is returned. */
  @Test
  void slicesOfAGatherAreNamedOnlyIfNoIndexIsBad() {
    assertThat(below("SELECT * FROM " + GATHER + " WHERE user < 3")).doesNotContain("only slices");
    assertThat(below("SELECT * FROM " + GATHER + " WHERE user BETWEEN 0 AND 2"))
        .contains("only slices [0, 1, 2]");
    String wraps = GATHER.substring(0, GATHER.length() - 1) + ", negative => 'wrap')";
    assertThat(below("SELECT * FROM " + wraps + " WHERE user = 3")).doesNotContain("only slices");
  }

  @Test
  void limitedRowsOfAGatherAreReadBeforeTheSlices() {
    String query = "SELECT * FROM " + GATHER + " LIMIT 3";
    assertThat(below(query)).contains("only slices of 3 rows");
    assertThat(rows(query)).hasSize(3);
    assertThat(rows("SELECT n, vec FROM " + GATHER + " WHERE user IN (2, 4) LIMIT 5")).hasSize(5);
    assertThat(rows("SELECT vec FROM " + GATHER + " LIMIT 40")).hasSize(30);
    String after = "SELECT * FROM (SELECT * FROM " + GATHER + " LIMIT 7) WHERE user + n < 100";
    assertThat(above(after)).contains("Filter");
    assertThat(rows(after)).hasSize(7);
    assertThat(rows("SELECT n FROM (SELECT n, vec FROM " + GATHER + " LIMIT 7)")).hasSize(7);
    assertThat(rows("SELECT count(*) AS c FROM (SELECT * FROM " + GATHER + " LIMIT 7)"))
        .containsExactly("{\"c\":7}");
  }

  @Test
  void badIndexInAFilteredUpdateIsStillAnError() {
    String bad =
        "tensor_scatter_nd_add(TABLE(emb), TABLE(SELECT id + 39 AS id, array(1F, 1F) FROM"
            + " range(2) AS t(id)), array(40, 2))";
    for (String query : List.of("SELECT * FROM " + bad, "SELECT id FROM " + bad)) {
      assertThatThrownBy(() -> rows(query + " WHERE id = 3"))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("[40] is out of bounds for shape [40");
    }
    String nulls = bad.replace("id + 39", "IF(id = 1, NULL, id)");
    assertThatThrownBy(() -> rows("SELECT * FROM " + nulls + " WHERE id = 3"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("has a null in index column 'id'");
  }

  @Test
  void badIndexOfAResultRowIsAnErrorEvenIfItsSliceIsUnused() {
    String bad = "gather_nd(TABLE(emb), TABLE(SELECT id + 38 AS i FROM range(3)), array(40, 2))";
    for (String query : List.of("SELECT i FROM ", "SELECT count(*) FROM ", "SELECT vec FROM ")) {
      assertThatThrownBy(() -> rows(query + bad))
          .isInstanceOf(SparkNdException.class)
          .hasMessageContaining("[40] is out of bounds for shape [40, 2]");
    }
    assertThat(rows("SELECT i, vec FROM " + bad + " WHERE i < 39"))
        .containsExactly("{\"i\":38,\"vec\":[38.0,380.0]}");
  }

  @Test
  void indexColumnsOfOtherTypesAreFilteredToo() {
    String tiny =
        "tensor_scatter_nd_max(TABLE(SELECT cast(id AS tinyint) AS id, id AS v FROM range(100)),"
            + " TABLE(SELECT id, id * 2 AS v FROM range(100)), array(100))";
    assertThat(rows("SELECT * FROM " + tiny + " WHERE id = 7"))
        .containsExactly("{\"id\":7,\"v\":14}");
    String wide =
        "gather_nd(TABLE(emb), TABLE(SELECT int(user) AS user, n FROM clicks), array(40, 2))";
    assertThat(below("SELECT vec FROM " + wide + " WHERE user = 3"))
        .containsPattern("Filter .*>= 3\\) AND .*<= 3");
    assertThat(rows("SELECT vec FROM " + wide + " WHERE user = 3 AND n = 3"))
        .containsExactly("{\"vec\":[3.0,30.0]}");
  }

  @Test
  void decimalsArePushedBelowTheirEncoding() {
    String decimals =
        "tensor_scatter_nd_add(TABLE(SELECT id, cast(id AS decimal(10, 2)) AS v FROM range(9)),"
            + " TABLE(SELECT id % 3 AS id, cast(0.25 AS decimal(10, 2)) AS v FROM range(6)),"
            + " array(9))";
    assertThat(below("SELECT * FROM " + decimals + " WHERE id = 2")).contains("only slices 2 to 2");
    assertThat(rows("SELECT * FROM " + decimals + " WHERE id = 2"))
        .containsExactly("{\"id\":2,\"v\":2.50}");
    assertThat(rows("SELECT sum(id) AS s FROM " + decimals)).containsExactly("{\"s\":36}");
  }
}

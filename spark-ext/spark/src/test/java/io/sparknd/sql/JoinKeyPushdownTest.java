/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.sql.internal.plan.TensorQueryExec;
import io.sparknd.tensor.SparkNdException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.QueryExecution;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.QueryStageExec;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that a join with a small table restricts the slices of a scatter. */
class JoinKeyPushdownTest {
  private static final String ADD = "tensor_scatter_nd_add(TABLE(emb), TABLE(grads), array(40, 2))";
  private static final String KEYS = "only keys of the join on [id]";

  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void makeViews() {
    view("emb", "SELECT id, array(float(id), float(id * 10)) AS vec FROM range(40) AS t(id)");
    view("grads", "SELECT id % 5 AS id, array(float(id), 0.5F) AS grad FROM range(20) AS t(id)");
    view("few", "SELECT id * 27 - 24 AS k FROM range(3) AS t(id)"); // -24, 3 and 30
  }

  private void view(String name, String query) {
    spark.sql("CREATE OR REPLACE TEMP VIEW " + name + " AS " + query);
  }

  private static String optimized(Dataset<?> query) {
    return query.queryExecution().optimizedPlan().toString();
  }

  private Dataset<?> query(String statement) {
    return (Dataset<?>) spark.sql(statement);
  }

  /** Returns the operators of a plan that has run, and of the stages below it. */
  private static Stream<SparkPlan> operators(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return operators(adaptive.executedPlan());
    }
    if (plan instanceof QueryStageExec stage) {
      return operators(stage.plan());
    }
    return Stream.concat(
        Stream.of(plan),
        ScalaSeqs.list(plan.children()).stream().flatMap(JoinKeyPushdownTest::operators));
  }

  private static <T extends SparkPlan> T only(QueryExecution query, Class<T> kind) {
    List<T> found =
        operators(query.executedPlan()).filter(kind::isInstance).map(kind::cast).toList();
    assertThat(found).isNotEmpty();
    return found.get(0);
  }

  private static long outputRows(SparkPlan plan) {
    return plan.metrics().apply("numOutputRows").value();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void onlySlicesOfTheKeysAreComputed(boolean isAdaptive) {
    spark.conf().set("spark.sql.adaptive.enabled", isAdaptive);
    Dataset<?> query =
        query("SELECT id, vec[0] AS a, vec[1] AS b FROM " + ADD + " JOIN few ON id = k");
    assertThat(optimized(query)).contains(KEYS);
    assertThat(query.collectAsList())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("[3,45.0,32.0]", "[30,30.0,300.0]");
    TensorQueryExec scatter = only(query.queryExecution(), TensorQueryExec.class);
    assertThat(outputRows(scatter)).isEqualTo(2);
    assertThat(scatter.toString()).contains(KEYS, "dynamicpruning");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM few JOIN %s r ON r.id = few.k",
        "SELECT * FROM %s r LEFT SEMI JOIN few ON r.id = few.k",
        "SELECT * FROM (SELECT id AS i, vec FROM %s WHERE vec[0] > 1) r JOIN few ON r.i = few.k"
      })
  void keysReachTheScatterFromJoinsThatDropOtherSlices(String statement) {
    assertThat(optimized(query(statement.formatted(ADD)))).contains("only keys of the join on");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "SELECT * FROM %s r LEFT JOIN few ON r.id = few.k",
        "SELECT * FROM %s r RIGHT JOIN few ON r.id = few.k",
        "SELECT * FROM few LEFT SEMI JOIN %s r ON r.id = few.k",
        "SELECT * FROM %s r LEFT ANTI JOIN few ON r.id = few.k",
        "SELECT * FROM %s r FULL JOIN few ON r.id = few.k",
        "SELECT * FROM %s r JOIN few ON r.id < few.k",
        "SELECT * FROM %s r JOIN few ON r.vec[0] = few.k",
        "SELECT * FROM %s r JOIN (SELECT * FROM few LIMIT 2) f ON r.id = f.k",
        "SELECT * FROM %s r JOIN (SELECT k FROM few WHERE rand() < 0.9) f ON r.id = f.k",
        "SELECT * FROM %s r JOIN range(2000000) f ON r.id = f.id"
      })
  void otherJoinsComputeAllSlices(String statement) {
    assertThat(optimized(query(statement.formatted(ADD)))).doesNotContain("only keys of the join");
  }

  @Test
  @Tag("slow")
  void joinThatBroadcastsNoKeysComputesAllSlices() {
    String statement = "SELECT /*+ MERGE(few) */ id, vec FROM " + ADD + " JOIN few ON id = k";
    Dataset<?> query = query(statement);
    query.collectAsList();
    TensorQueryExec scatter = only(query.queryExecution(), TensorQueryExec.class);
    assertThat(scatter.toString()).doesNotContain("only keys");
    assertThat(outputRows(scatter)).isEqualTo(40);
  }

  @Test
  void ruleAndSparksOwnSettingSwitchItOff() {
    String statement = "SELECT id FROM " + ADD + " JOIN few ON id = k";
    spark
        .conf()
        .set("spark.sql.optimizer.excludedRules", "io.sparknd.sql.internal.plan.JoinKeyPushdown");
    assertThat(optimized(query(statement))).doesNotContain(KEYS);
    spark.conf().unset("spark.sql.optimizer.excludedRules");
    spark.conf().set("spark.sql.optimizer.dynamicPartitionPruning.enabled", false);
    assertThat(optimized(query(statement))).doesNotContain(KEYS);
  }

  @Test
  void conditionsAndKeysCombine() {
    String statement =
        "SELECT id, vec FROM " + ADD + " JOIN few ON id = k WHERE id IN (3, 4, 30) AND id < 20";
    assertThat(optimized(query(statement))).contains("only slices [3, 4]", KEYS);
    assertThat(query(statement).toJSON().collectAsList())
        .containsExactly("{\"id\":3,\"vec\":[45.0,32.0]}");
  }

  @Test
  @Tag("slow")
  void keysOfTwoDimensionsCombine() {
    view("cells", "SELECT x DIV 5 AS i, int(x % 5) AS j, float(x) AS v FROM range(60) AS t(x)");
    view("cellgrads", "SELECT i, j, v FROM cells WHERE v > 20");
    view("points", "SELECT id AS a, int(id) AS b FROM range(2, 7) AS t(id)");
    String cells = "tensor_scatter_nd_add(TABLE(cells), TABLE(cellgrads), array(12, 5))";
    checkSame("SELECT i, j, v FROM " + cells + " JOIN points ON i = a AND j = b");
    checkSame("SELECT i, j, v FROM " + cells + " JOIN points ON i = a");
    checkSame("SELECT i, j, v FROM " + cells + " JOIN points ON j = a AND v < 30");
  }

  @Test
  void joinOfNoKeysHasNoRows() {
    view("none", "SELECT id + 1000 AS k FROM range(3) AS t(id)");
    assertThat(query("SELECT id FROM " + ADD + " JOIN none ON id = k").count()).isZero();
  }

  @Test
  void badIndexOfAnUpdateIsStillAnError() {
    String bad = ADD.replace("TABLE(grads)", "TABLE(SELECT id + 39 AS id, grad FROM grads)");
    assertThatThrownBy(() -> query("SELECT id FROM " + bad + " JOIN few ON id = k").collect())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[40] is out of bounds for shape [40");
  }

  @Test
  void rowsOfOneSliceAreAnErrorIfTheKeysNameIt() {
    String twice =
        ADD.replace("TABLE(emb)", "TABLE(SELECT IF(id = 31, 30, id) AS id, vec FROM emb)");
    assertThatThrownBy(() -> query("SELECT * FROM " + twice + " JOIN few ON id = k").collect())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[30]");
    assertThatThrownBy(() -> query("SELECT * FROM " + twice + " WHERE id = 30").collect())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[30]");
  }

  /** Files are read by the keys, too: only pages that hold them, or that have a bad index. */
  @Test
  @Tag("slow")
  void pagesOfFilesWithoutKeysAreNotRead(@TempDir Path folder) {
    write(
        folder.resolve("table"), "SELECT id, float(id) AS v FROM range(0, 200000, 1, 2) AS t(id)");
    view("some", "SELECT id * 70000 AS k FROM range(2) AS t(id)");
    view("ones", "SELECT id, 1F AS v FROM range(0, 200000, 70000) AS t(id)");
    String statement =
        "SELECT id, v FROM tensor_scatter_nd_add(TABLE(big), TABLE(ones), array(%d)) JOIN some ON"
            + " id = k";
    spark.read().parquet(folder.resolve("table").toString()).createOrReplaceTempView("big");
    Dataset<?> query = query(statement.formatted(200_000));
    assertThat(query.collectAsList())
        .extracting(Object::toString)
        .containsExactlyInAnyOrder("[0,1.0]", "[70000,70001.0]");
    assertThat(outputRows(only(query.queryExecution(), FileSourceScanExec.class)))
        .isBetween(2L, 50_000L);
    assertThatThrownBy(() -> query(statement.formatted(199_999)).collect())
        .isInstanceOf(SparkNdException.class)
        .hasMessageContaining("[199999]");
  }

  private void write(Path path, String query) {
    spark
        .sql(query)
        .write()
        .option("parquet.page.row.count.limit", "1000")
        .parquet(path.toString());
  }

  private void checkSame(String statement) {
    List<String> pushed = query(statement).toJSON().collectAsList();
    spark
        .conf()
        .set("spark.sql.optimizer.excludedRules", "io.sparknd.sql.internal.plan.JoinKeyPushdown");
    try {
      assertThat(pushed)
          .containsExactlyInAnyOrderElementsOf(query(statement).toJSON().collectAsList());
    } finally {
      spark.conf().unset("spark.sql.optimizer.excludedRules");
    }
  }
}

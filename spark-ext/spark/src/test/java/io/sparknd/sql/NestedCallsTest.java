/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.regex.Pattern;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests calls whose tensor is the result of another call, as a loop of scatters makes them. */
class NestedCallsTest {
  private static final int CALLS = 8;
  private static final String ADD =
      "SELECT * FROM tensor_scatter_nd_add(TABLE(%s), TABLE(grads), array(20))";
  private static final String GATHER =
      "SELECT * FROM gather_nd(TABLE(%s), TABLE(SELECT id FROM range(20) AS t(id)), array(20))";

  private final SparkSession spark = LocalSpark.session().newSession();

  @BeforeEach
  void makeViews() {
    spark.range(20).selectExpr("id", "id * 10 AS v").createOrReplaceTempView("emb");
    spark.range(50).selectExpr("id % 20 AS id", "id AS v").createOrReplaceTempView("grads");
  }

  private static long queries(LogicalPlan plan) {
    return Pattern.compile("TensorQuery").matcher(plan.toString()).results().count();
  }

  private Dataset<Row> nested(String call) {
    String text = "SELECT * FROM emb";
    for (int i = 0; i < CALLS; i++) {
      text = call.formatted(text);
    }
    return spark.sql(text);
  }

  @ParameterizedTest
  @ValueSource(strings = {ADD, GATHER})
  void planGrowsByOneQueryForEachCall(String call) {
    var execution = ClassicSpark.of(nested(call)).queryExecution();
    assertThat(queries(execution.analyzed())).isEqualTo(CALLS);
    assertThat(queries(execution.optimizedPlan())).isEqualTo(CALLS);
  }

  @Test
  void nestedScattersApplyAllUpdates() {
    Row sum = nested(ADD).selectExpr("sum(v)").head();
    assertThat(sum.getLong(0)).isEqualTo(1900L + CALLS * 1225L);
  }

  @Test
  void indexColumnsOfCachedResultsAreReadFirst() {
    Dataset<Row> cached = spark.sql(ADD.formatted("emb")).cache();
    try {
      cached.createOrReplaceTempView("next");
      String plan =
          ClassicSpark.of(spark.sql(ADD.formatted("next")))
              .queryExecution()
              .optimizedPlan()
              .toString();
      assertThat(Pattern.compile("InMemoryRelation \\[id").matcher(plan).results().count())
          .isEqualTo(2);
    } finally {
      cached.unpersist();
    }
  }

  /** The rows of a step are read by the calls of the next one, in their place in the plan. */
  @Test
  void stepsOfARecursionCallFunctions() {
    spark.sql("CREATE TEMP VIEW links AS SELECT id, (id * 7 + 3) % 20 AS next FROM range(20)");
    String walk =
        "WITH RECURSIVE walk(step, node) AS (SELECT 0, 4L UNION ALL SELECT step + 1, next FROM"
            + " gather_nd(TABLE(links), TABLE(SELECT node AS id, step FROM walk WHERE step < 5),"
            + " array(20))) SELECT node FROM walk ORDER BY step";
    assertThat(longs(walk)).containsExactly(4L, 11L, 0L, 3L, 4L, 11L);
  }

  @Test
  void stepsOfARecursionReadOtherCalls() {
    String sums =
        "WITH RECURSIVE sums(id, v, step) AS (SELECT id, v, 0 FROM emb UNION ALL SELECT s.id, s.v +"
            + " g.v, step + 1 FROM sums s JOIN tensor_scatter_nd_add(TABLE(emb), TABLE(grads),"
            + " array(20)) g ON g.id = s.id WHERE step < 3) SELECT sum(v) FROM sums WHERE step = 3";
    assertThat(longs(sums)).containsExactly(1900L + 3 * (1900L + 1225L));
  }

  /** The rows of the outer call's tensor are right; those of the inner call are not. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "tensor_scatter_nd_update(TABLE(emb), TABLE(SELECT 20L AS id, 1L AS v), array(20))",
        "tensor_scatter_nd_update(TABLE(emb), TABLE(SELECT 3L AS id, v FROM emb), array(20),"
            + " duplicates => 'error')",
        "gather_nd(TABLE(emb), TABLE(SELECT 20L AS id), array(20))"
      })
  void errorsOfTheInnerCallAreItsOwn(String inner) {
    Dataset<Row> rows = spark.sql("SELECT id, v FROM " + inner);
    String message = catchThrowableOfType(SparkNdException.class, rows::collectAsList).getMessage();
    TensorColumns columns = TensorColumns.of("v", "id");
    assertThatThrownBy(
            () ->
                DistributedTensor.fromDataset(
                    rows, columns, DType.INT64, Shape.of(20), Partitioning.AUTO))
        .hasMessage(message);
    for (String call : List.of(ADD, GATHER)) {
      Dataset<Row> outer = spark.sql(call.formatted("SELECT id, v FROM " + inner));
      assertThatThrownBy(outer::collectAsList).hasMessage(message);
    }
  }

  private List<Long> longs(String query) {
    return spark.sql(query).collectAsList().stream().map(row -> row.getLong(0)).toList();
  }
}

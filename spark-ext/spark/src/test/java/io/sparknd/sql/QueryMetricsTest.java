/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import static org.assertj.core.api.Assertions.assertThat;
import static scala.jdk.javaapi.CollectionConverters.asJava;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.docs.Page;
import io.sparknd.sql.internal.plan.TensorQueryExec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.scheduler.SparkListenerTaskEnd;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.classic.Dataset;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.ui.SparkListenerDriverAccumUpdates;
import org.apache.spark.sql.vectorized.ColumnarBatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests the metrics in the SQL tab and the columnar output of table functions. */
class QueryMetricsTest {
  private static final String STATEMENT =
      "SELECT * FROM tensor_scatter_nd_max(TABLE(SELECT id AS i, 0.0D AS v FROM range(100)),"
          + " TABLE(SELECT id % 10 AS i, double(id) AS v FROM range(1000) UNION ALL SELECT 100,"
          + " 1.0D), array(100), bad_indices => 'ignore')";

  private final SparkSession spark = LocalSpark.session();

  private static TensorQueryExec operator(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return operator(adaptive.executedPlan());
    }
    return plan instanceof TensorQueryExec exec
        ? exec
        : operator(ScalaSeqs.list(plan.children()).get(0));
  }

  private static Map<String, Long> metrics(TensorQueryExec exec) {
    Map<String, Long> values = new TreeMap<>();
    asJava(exec.metrics()).forEach((name, metric) -> values.put(name, metric.value()));
    return values;
  }

  /** Sums what tasks and the driver report, by the ids of metrics, as the SQL tab does. */
  private static final class ReportedMetrics extends SparkListener {
    private final Map<Long, Long> sums = new ConcurrentHashMap<>();

    @Override
    public void onTaskEnd(SparkListenerTaskEnd end) {
      asJava(end.taskInfo().accumulables())
          .forEach(
              each -> {
                if (each.update().isDefined() && each.update().get() instanceof Long added) {
                  sums.merge(each.id(), added, Long::sum);
                }
              });
    }

    @Override
    public void onOtherEvent(SparkListenerEvent event) {
      if (event instanceof SparkListenerDriverAccumUpdates posted) {
        ScalaSeqs.list(posted.accumUpdates())
            .forEach(each -> sums.merge((Long) each._1, (Long) each._2, Long::sum));
      }
    }

    Map<String, Long> of(TensorQueryExec exec) {
      Map<String, Long> named = new TreeMap<>();
      asJava(exec.metrics())
          .forEach((name, metric) -> named.put(name, sums.getOrDefault(metric.id(), 0L)));
      return named;
    }
  }

  @Test
  void documentationListsTheMetrics() {
    Dataset<?> rows = (Dataset<?>) spark.sql(STATEMENT);
    List<String> shown = new ArrayList<>();
    asJava(operator(rows.queryExecution().executedPlan()).metrics())
        .forEach((name, metric) -> shown.add(name + ": " + metric.name().get()));
    assertThat(Page.of("docs/reference/metrics.md").section("SQL tab").tables("metric").get(0))
        .extracting(row -> row.name() + ": " + row.cells().get(1))
        .containsExactlyInAnyOrderElementsOf(shown);
  }

  @Tag("slow")
  @Test
  void updatesAreCounted() {
    Dataset<?> rows = (Dataset<?>) spark.sql(STATEMENT);
    rows.collectAsList();
    Map<String, Long> metrics = metrics(operator(rows.queryExecution().executedPlan()));
    assertThat(metrics)
        .containsEntry("updates", 1001L)
        .containsEntry("dropped", 1L)
        .containsEntry("duplicates", 990L)
        .containsEntry("numOutputRows", 100L);
    assertThat(metrics.get("combined")).isBetween(960L, 990L);
    assertThat(metrics.get("bytesExchanged")).isPositive();
    assertThat(metrics.get("blocksWritten")).isPositive();
  }

  @Test
  void updatesOfUnusedSlicesAreCountedButNotMoved() {
    Dataset<?> rows =
        (Dataset<?>) spark.sql(STATEMENT.replace("SELECT * FROM t", "SELECT i FROM t"));
    rows.collectAsList();
    assertThat(metrics(operator(rows.queryExecution().executedPlan())))
        .containsEntry("updates", 1001L)
        .containsEntry("dropped", 1L)
        .containsEntry("bytesExchanged", 0L)
        .containsEntry("numOutputRows", 100L);
  }

  @Test
  void updatesOfAHotSliceAreCountedAsDuplicatesOnce() throws Exception {
    ReportedMetrics reported = new ReportedMetrics();
    spark.sparkContext().addSparkListener(reported);
    spark.conf().set("spark.sparknd.skewBytes", "0");
    try {
      Dataset<?> rows =
          (Dataset<?>)
              spark.sql(
                  "SELECT * FROM tensor_scatter_nd_add(TABLE(SELECT id AS i, 0.0D AS v FROM"
                      + " range(100)), TABLE(SELECT 5 AS i, double(id) AS v FROM range(1000)),"
                      + " array(100))");
      rows.collectAsList();
      TensorQueryExec exec = operator(rows.queryExecution().executedPlan());
      assertThat(metrics(exec))
          .containsEntry("updates", 1000L)
          .containsEntry("combined", 0L)
          .containsEntry("duplicates", 999L);
      spark.sparkContext().listenerBus().waitUntilEmpty();
      assertThat(reported.of(exec))
          .containsEntry("updates", 1000L)
          .containsEntry("combined", 0L)
          .containsEntry("duplicates", 999L);
    } finally {
      spark.sparkContext().removeSparkListener(reported);
      spark.conf().unset("spark.sparknd.skewBytes");
    }
  }

  @Test
  void columnarOutputEqualsTheRows() {
    Dataset<?> rows =
        (Dataset<?>)
            spark.sql(
                "SELECT * FROM gather_nd(TABLE(SELECT id AS i, array(array(id, id * 2), array(3,"
                    + " 4)) AS v FROM range(10)), TABLE(SELECT id AS i, string(id) AS s FROM"
                    + " range(10)), array(10, 2, 2))");
    TensorQueryExec exec = operator(rows.queryExecution().executedPlan());
    List<String> found =
        exec.executeColumnar().toJavaRDD().flatMap(batch -> shown(batch).iterator()).collect();
    assertThat(found)
        .containsExactlyInAnyOrderElementsOf(
            java.util.stream.IntStream.range(0, 10)
                .mapToObj(i -> i + " " + i + " " + i + " " + 2 * i + " 3 4")
                .toList());
  }

  private static List<String> shown(ColumnarBatch batch) {
    List<String> rows = new ArrayList<>();
    batch
        .rowIterator()
        .forEachRemaining(
            row ->
                rows.add(
                    row.getLong(0)
                        + " "
                        + row.getUTF8String(1)
                        + " "
                        + row.getArray(2).getArray(0).getLong(0)
                        + " "
                        + row.getArray(2).getArray(0).getLong(1)
                        + " "
                        + row.getArray(2).getArray(1).getLong(0)
                        + " "
                        + row.getArray(2).getArray(1).getLong(1)));
    return rows;
  }
}

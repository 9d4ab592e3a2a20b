/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.kernel.ForkedJvm;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.table.LocalCatalog;
import io.sparknd.table.TensorTable;
import io.sparknd.table.options.TensorSpec;
import io.sparknd.table.result.TableCommit;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import org.apache.spark.TaskContext;
import org.apache.spark.api.java.function.MapPartitionsFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests Spark's Prometheus page in a separate JVM, which has its own Spark. */
@Tag("slow")
class NdPluginTest {
  private static final String DONE = "all as it was done";

  private static final Map<String, String> SETTINGS =
      Map.of(
          "spark.plugins", NdPlugin.class.getName(),
          "spark.ui.port", "0",
          "spark.driver.host", "127.0.0.1",
          "spark.driver.bindAddress", "127.0.0.1",
          "spark.metrics.namespace", "shop",
          "spark.metrics.conf.*.sink.prometheusServlet.class",
              "org.apache.spark.metrics.sink.PrometheusServlet",
          "spark.metrics.conf.*.sink.prometheusServlet.path", "/metrics/prometheus");

  @Test
  void pageShowsTheMetricsOfEachOperation(@TempDir Path directory) throws Exception {
    ForkedJvm run =
        ForkedJvm.runForSpark(
            List.of(
                "-cp",
                System.getProperty("java.class.path"),
                Job.class.getName(),
                directory.toString()));
    assertThat(run.output()).contains(DONE);
    assertThat(run.exit()).isZero();
  }

  /** The program of the other JVM. */
  static final class Job {
    private static final String PAGE_NAME =
        "metrics_shop_driver_plugin_io_sparknd_metrics_NdPlugin_scatters_Count";

    private static final String GAUGE_NAME =
        "metrics_shop_driver_plugin_io_sparknd_metrics_NdPlugin"
            + "_training_validation_recall_10_Value";

    private static final TensorColumns COLUMNS = TensorColumns.of("value", "i0");

    private final SparkSession spark;

    private Job(SparkSession spark) {
      this.spark = spark;
    }

    public static void main(String[] arguments) throws Exception {
      SparkSession.Builder builder = SparkSession.builder().master("local[2,3]");
      SETTINGS.forEach(builder::config);
      LocalCatalog.settings("lake", Path.of(arguments[0])).forEach(builder::config);
      try (SparkSession spark = builder.getOrCreate()) {
        new Job(spark).run();
      }
      System.out.println(DONE);
    }

    private void run() throws Exception {
      assertThat(scrape().count(SparkNdMetric.SCATTERS)).isZero();
      ScatterMetrics scattered = scatter();
      TableCommit committed = commit();
      TrainingMetrics.validated("recall@10", 0.25);
      TrainingMetrics.validated("recall@10", 0.5);
      Scrape page = scrape();
      assertThat(page.samples()).containsKey(PAGE_NAME);
      assertThat(page.count(SparkNdMetric.SCATTERS)).isEqualTo(1);
      assertThat(page.count(SparkNdMetric.SCATTER_UPDATES)).isEqualTo(60);
      assertThat(page.count(SparkNdMetric.SCATTER_BYTES)).isEqualTo(scattered.bytesExchanged());
      assertThat(page.count(SparkNdMetric.SCATTER_BLOCKS)).isEqualTo(scattered.blocksCopied());
      assertThat(page.count(SparkNdMetric.SCATTER_SLOWEST_TASK)).isEqualTo(1);
      assertThat(page.value(SparkNdMetric.SCATTER_SLOWEST_TASK, "Max"))
          .hasValue(Math.round(scattered.slowestSeconds() * 1000));
      assertThat(page.count(SparkNdMetric.GATHERS)).isEqualTo(1);
      assertThat(page.count(SparkNdMetric.TABLE_COMMITS)).isEqualTo(1);
      assertThat(page.count(SparkNdMetric.TABLE_UPDATES)).isEqualTo(25);
      assertThat(page.count(SparkNdMetric.TABLE_BYTES)).isEqualTo(committed.bytesWritten());
      assertThat(page.count(SparkNdMetric.TASK_UPDATES)).isEqualTo(85);
      assertThat(page.count(SparkNdMetric.TASK_FOLD_NANOS)).isPositive();
      assertThat(page.samples()).containsEntry(GAUGE_NAME, 0.5);
      for (SparkNdMetric metric : SparkNdMetric.values()) {
        assertThat(page.value(metric, "Count")).as(metric.label()).isPresent();
      }
    }

    private Scrape scrape() throws Exception {
      return Scrape.of(spark.sparkContext().uiWebUrl().get() + "/metrics/prometheus/");
    }

    /**
     * Runs a scatter in which each map task fails once after it has produced all rows. Its updates
     * count once.
     */
    private ScatterMetrics scatter() {
      Dataset<Row> rows = spark.range(0, 60, 1, 3).selectExpr("id AS i0", "1L AS value");
      Dataset<Row> failing =
          rows.mapPartitions((MapPartitionsFunction<Row, Row>) Job::failing, rows.encoder());
      DistributedTensor next =
          DistributedTensor.zeros(spark, DType.INT64, Shape.of(100), Partitioning.of(4))
              .scatter(Scatter.add(), failing, COLUMNS);
      next.gather(Gather.strict(), spark.range(5).toDF("i0"), List.of("i0")).collectAsList();
      return next.metrics().orElseThrow();
    }

    private static Iterator<Row> failing(Iterator<Row> rows) {
      List<Row> all = new ArrayList<>();
      rows.forEachRemaining(all::add);
      return new FailingOnce(all.iterator());
    }

    private record FailingOnce(Iterator<Row> rows) implements Iterator<Row> {
      @Override
      public boolean hasNext() {
        if (!rows.hasNext() && TaskContext.get().attemptNumber() == 0) {
          throw new IllegalStateException("the first attempt fails, after all of its rows");
        }
        return rows.hasNext();
      }

      @Override
      public Row next() {
        return rows.next();
      }
    }

    private TableCommit commit() {
      TensorTable table =
          TensorTable.create(spark, "lake.a.t", TensorSpec.of(DType.INT64, Shape.of(100)));
      return table.scatter(
          Scatter.add(), spark.range(0, 25, 1, 3).selectExpr("id AS i0", "1L AS value"), COLUMNS);
    }
  }
}

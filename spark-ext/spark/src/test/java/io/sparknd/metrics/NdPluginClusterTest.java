/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.LocalCluster;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests metrics of executors in separate JVMs, in files that one of Spark's sinks writes. */
@Tag("slow")
class NdPluginClusterTest {
  private static final int UPDATES = 100_000;
  private static final long MAX_WAIT = 60_000_000_000L;

  @TempDir Path directory;

  @Test
  void executorsReportAppliedUpdates() throws Exception {
    Map<String, String> settings =
        Map.of(
            "spark.plugins", NdPlugin.class.getName(),
            "spark.metrics.conf.executor.sink.csv.class", "org.apache.spark.metrics.sink.CsvSink",
            "spark.metrics.conf.executor.sink.csv.period", "1",
            "spark.metrics.conf.executor.sink.csv.unit", "seconds",
            "spark.metrics.conf.executor.sink.csv.directory", directory.toString());
    try (LocalCluster cluster = LocalCluster.start(settings)) {
      cluster.processes(); // waits for both executors
      SparkSession spark = cluster.session();
      DistributedTensor.zeros(spark, DType.INT64, Shape.of(UPDATES), Partitioning.of(8))
          .scatter(
              Scatter.add(),
              spark.range(0, UPDATES, 1, 8).selectExpr("id AS i0", "1L AS value"),
              TensorColumns.of("value", "i0"));
      await(SparkNdMetric.TASK_UPDATES, UPDATES);
      await(SparkNdMetric.TASK_FOLDS, 8);
      assertThat(counts(SparkNdMetric.TASK_FOLDS)).hasSize(2);
      assertThat(counts(SparkNdMetric.TASK_FOLD_NANOS).stream().mapToLong(Long::longValue).sum())
          .isPositive();
      assertThat(counts(SparkNdMetric.TASK_SCALAR_FOLDS)).containsExactly(0L, 0L);
    }
  }

  /** Waits until the executors have reported this count; they report every second. */
  private void await(SparkNdMetric metric, long count) throws IOException, InterruptedException {
    long start = System.nanoTime();
    while (sum(metric) != count && System.nanoTime() - start < MAX_WAIT) {
      Thread.sleep(200);
    }
    assertThat(sum(metric)).as(metric.label()).isEqualTo(count);
  }

  private long sum(SparkNdMetric metric) throws IOException {
    return counts(metric).stream().mapToLong(Long::longValue).sum();
  }

  /** Returns the last count of each executor. */
  private List<Long> counts(SparkNdMetric metric) throws IOException {
    String name = ".plugin." + NdPlugin.class.getName() + "." + metric.label() + ".csv";
    try (Stream<Path> files = Files.list(directory)) {
      return files
          .filter(file -> file.getFileName().toString().endsWith(name))
          .map(NdPluginClusterTest::last)
          .toList();
    }
  }

  private static long last(Path file) {
    try {
      List<String> lines = Files.readAllLines(file);
      String line = lines.get(lines.size() - 1);
      String count = line.substring(line.indexOf(',') + 1);
      return count.equals("count") ? 0 : Long.parseLong(count);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

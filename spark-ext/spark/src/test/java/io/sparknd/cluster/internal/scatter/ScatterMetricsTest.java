/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.internal.shuffle.ScatterMetricsAccumulator;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.CopiedAccumulators;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Set;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.junit.jupiter.api.Test;

/** Tests the metrics of a scatter. */
class ScatterMetricsTest {
  private static final int UPDATES = 10_000;
  private static final int SLICES = 100;
  private static final int PARTITIONS = 4;

  private static DistributedTensor cells(DType dtype) {
    return DistributedTensor.zeros(
        LocalSpark.session(), dtype, Shape.of(SLICES), new Partitioning(PARTITIONS, 16));
  }

  /** One update in eleven is out of bounds. */
  private static Dataset<Row> updates() {
    return LocalSpark.session()
        .range(UPDATES)
        .selectExpr("id % 110 as slice", "cast(1 as float) as value");
  }

  private static ScatterMetrics metrics(DType dtype) {
    Scatter add = Scatter.add().withBadIndices(BadIndices.IGNORE);
    String type = dtype == DType.INT32 ? "int" : "float";
    Dataset<Row> rows = updates().selectExpr("slice", "cast(value as " + type + ") as value");
    try (DistributedTensor next =
        cells(dtype).scatter(add, rows, TensorColumns.of("value", "slice"))) {
      return next.metrics().orElseThrow();
    }
  }

  @Test
  void updatesAreCountedAsSentOrDropped() {
    ScatterMetrics metrics = metrics(DType.FLOAT32);
    assertThat(metrics.updates()).isEqualTo(UPDATES);
    assertThat(metrics.dropped()).isEqualTo(UPDATES / 110 * 10);
    long sent = UPDATES - metrics.dropped();
    assertThat(metrics.combined()).isZero();
    assertThat(metrics.bytesExchanged()).isEqualTo(sent * (Long.BYTES + Float.BYTES));
    assertThat(metrics.largestPartition()).isBetween(sent / PARTITIONS, sent);
    assertThat(metrics.medianPartition()).isBetween(1L, metrics.largestPartition());
    assertThat(metrics.blocksCopied()).isEqualTo(SLICES / 4);
    assertThat(metrics.slowestSeconds()).isGreaterThanOrEqualTo(metrics.medianSeconds());
    assertThat(metrics.medianSeconds()).isPositive();
    assertThat(metrics.kernel()).isIn("vector", "scalar");
  }

  @Test
  void combinedUpdatesAreNotSent() {
    ScatterMetrics metrics = metrics(DType.INT32);
    long sent = metrics.bytesExchanged() / (Long.BYTES + Integer.BYTES);
    assertThat(metrics.updates()).isEqualTo(metrics.dropped() + metrics.combined() + sent);
    assertThat(sent).isEqualTo(2 * SLICES);
  }

  @Test
  void callsFromTheDriverAreCounted() {
    Tensor indices = Tensor.of(Shape.of(3, 1), 1L, -1L, 1L);
    ScatterCall call =
        ScatterCall.of(
            Scatter.add().withIndices(lenient()), indices, Tensor.of(Shape.of(3), 1f, 2f, 3f));
    try (DistributedTensor next = cells(DType.FLOAT32).scatter(call)) {
      ScatterMetrics metrics = next.metrics().orElseThrow();
      assertThat(metrics.updates()).isEqualTo(3);
      assertThat(metrics.dropped()).isEqualTo(1);
      assertThat(metrics.bytesExchanged()).isEqualTo(2 * (Long.BYTES + Float.BYTES));
      assertThat(metrics.blocksCopied()).isEqualTo(1);
      assertThat(metrics.largestPartition()).isEqualTo(2);
    }
  }

  private static io.sparknd.op.IndexPolicy lenient() {
    return new io.sparknd.op.IndexPolicy(
        BadIndices.IGNORE, io.sparknd.op.NegativeIndices.OUT_OF_BOUNDS);
  }

  @Test
  void tensorWithoutAScatterHasNoMetrics() {
    DistributedTensor cells = cells(DType.FLOAT32);
    assertThat(cells.metrics()).isEmpty();
    GatherCall first = GatherCall.of(Gather.strict(), Tensor.of(Shape.of(1, 1), 0L));
    assertThat(cells.gather(first).metrics()).isEmpty();
  }

  /** Spark copies the value of an accumulator with a name for each task that ends. */
  @Test
  void metricsOfAllTasksAreNotCopiedWhenATaskEnds() throws Exception {
    Set<String> copied =
        CopiedAccumulators.of(
            LocalSpark.session().sparkContext(),
            () -> assertThat(metrics(DType.FLOAT32).updates()).isEqualTo(UPDATES));
    assertThat(copied).contains("internal.metrics.executorRunTime");
    assertThat(copied).noneMatch(name -> name.startsWith("sparknd"));
    assertThat(copied).doesNotContain("without a name");
  }

  @Test
  void repeatedTaskCountsOnce() {
    ScatterMetricsAccumulator accumulator =
        ScatterMetricsAccumulator.registered(LocalSpark.session());
    accumulator.add(new ScatterMetricsAccumulator.Sent(0, 10, 1, 2, 100));
    accumulator.add(new ScatterMetricsAccumulator.Folded(3, 7, 1, 1_000_000_000, "scalar"));
    ScatterMetricsAccumulator again = (ScatterMetricsAccumulator) accumulator.copy();
    again.add(new ScatterMetricsAccumulator.Folded(4, 9, 1, 3_000_000_000L, "scalar"));
    accumulator.merge(again);
    assertThat(accumulator.value())
        .isEqualTo(new ScatterMetrics(10, 1, 2, 100, 2, 0, 9, 9, 9, 3.0, 3.0, "scalar"));
  }
}

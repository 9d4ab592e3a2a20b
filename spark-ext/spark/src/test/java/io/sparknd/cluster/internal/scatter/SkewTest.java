/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scatter;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.Column;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.api.java.UDF1;
import org.apache.spark.sql.functions;
import org.apache.spark.sql.types.DataTypes;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests that no task gets much more than the others for a million updates with realistic skew. */
@Tag("slow")
class SkewTest {
  private static final int SLICES = 1_000_000;
  private static final int UPDATES = 1_000_000;
  private static final int WIDTH = 64;

  @BeforeEach
  void whatIsSkewedIsHot() {
    LocalSpark.session().conf().set("spark.sparknd.skewBytes", "16m");
  }

  @AfterEach
  void asBefore() {
    LocalSpark.session().conf().unset("spark.sparknd.skewBytes");
  }

  @ParameterizedTest
  @ValueSource(ints = {8, 64})
  void noTaskAppliesTwiceTheMedianOfUpdates(int partitions) {
    ScatterMetrics metrics = metrics(zipf(), partitions);
    assertThat(metrics.updates()).isEqualTo(UPDATES);
    assertThat(metrics.hottestPartition()).isGreaterThan(4 * metrics.medianPartition());
    assertThat(metrics.hotSlices()).isBetween(1L, 2_000L);
    assertThat(metrics.largestPartition()).isLessThanOrEqualTo(2 * metrics.medianPartition());
  }

  @Test
  void evenlyDistributedUpdatesAreNotSplit() {
    ScatterMetrics metrics = metrics(functions.expr("xxhash64(id) & 524287"), 64);
    assertThat(metrics.hotSlices()).isZero();
    assertThat(metrics.hottestPartition()).isEqualTo(metrics.largestPartition());
    assertThat(metrics.bytesExchanged())
        .isEqualTo(UPDATES * (Long.BYTES + (long) WIDTH * Float.BYTES));
  }

  private static ScatterMetrics metrics(Column slice, int partitions) {
    Dataset<Row> updates =
        LocalSpark.session()
            .range(0, UPDATES, 1, 8)
            .select(
                slice.as("slice"),
                functions
                    .expr("array_repeat(cast(id % 7919 as float), " + WIDTH + ")")
                    .as("value"));
    try (DistributedTensor zeros =
            DistributedTensor.zeros(
                LocalSpark.session(),
                DType.FLOAT32,
                Shape.of(SLICES, WIDTH),
                Partitioning.of(partitions));
        DistributedTensor next =
            zeros.scatter(Scatter.add(), updates, TensorColumns.of("value", "slice"))) {
      return next.metrics().orElseThrow();
    }
  }

  /**
   * Returns a column of slices in which {@code i - 1} has a probability proportional to {@code i ^
   * -1.1}.
   */
  private static Column zipf() {
    double[] upTo = new double[SLICES];
    double sum = 0;
    for (int i = 0; i < SLICES; i++) {
      sum += Math.pow(i + 1, -1.1);
      upTo[i] = sum;
    }
    double all = sum;
    Broadcast<double[]> sums =
        JavaSparkContext.fromSparkContext(LocalSpark.session().sparkContext()).broadcast(upTo);
    UDF1<Long, Long> draw =
        id -> {
          double at = new SplittableRandom(id).nextDouble() * all;
          int place = Arrays.binarySearch(sums.value(), at);
          return (long) Math.min(SLICES - 1, place >= 0 ? place : -place - 1);
        };
    return functions.udf(draw, DataTypes.LongType).apply(functions.col("id"));
  }
}

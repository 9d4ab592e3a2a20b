/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.Rmm;
import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.CallOutcome;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.RandomCalls.GatherCase;
import io.sparknd.oracle.RandomCalls.ScatterCase;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Random;
import java.util.function.Supplier;
import org.apache.spark.sql.SparkSession;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Distributed tensors with kernel {@code cudf}, in memory that the Accelerator manages. */
@ExtendWith(NeedsGpu.class)
class FoldsOnGpuTest {
  private static final SparkSession SPARK = LocalSpark.session();
  private static final Partitioning CUT = new Partitioning(3, 1 << 8);
  private static final int RANKS = 6;
  private static final int UPDATES = 200_000;
  private static final int SLICES = 1_000;
  private static final int WIDTH = 16;

  private static <T> T onGpu(Supplier<T> work) {
    return Conf.with("spark.sparknd.kernel", "cudf", work);
  }

  @Test
  void duplicatesGiveTheBitsOfTheProcessor() {
    assertThat(Rmm.isInitialized()).as("memory of the Accelerator").isTrue();
    Tensor data = gaussian(Shape.of(SLICES, WIDTH), 1);
    Tensor indices = indices();
    ScatterCall scatter =
        ScatterCall.of(Scatter.add(), indices, gaussian(Shape.of(UPDATES, WIDTH), 2));
    GatherCall gather = GatherCall.of(Gather.strict(), indices);
    try (DistributedTensor before = DistributedTensor.of(SPARK, data, CUT);
        DistributedTensor after = onGpu(() -> before.scatter(scatter));
        DistributedTensor expected = before.scatter(scatter)) {
      assertThat(after.metrics().map(ScatterMetrics::kernel)).contains("cudf");
      TensorAssert.assertSameBits(onGpu(after::collect), expected.collect());
      TensorAssert.assertSameBits(
          onGpu(() -> after.gather(gather).collect()), expected.gather(gather).collect());
    }
  }

  private static Tensor gaussian(Shape shape, long seed) {
    Random random = new Random(seed);
    float[] values = new float[(int) shape.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.wrap(DType.FLOAT32, shape, values);
  }

  private static Tensor indices() {
    return Tensor.wrap(
        DType.INT64, Shape.of(UPDATES, 1), new Random(3).longs(UPDATES, 0, SLICES).toArray());
  }

  @ParameterizedTest
  @EnumSource
  void scattersAreTheOracles(DType dtype) {
    for (int rank = 0; rank < RANKS; rank++) {
      ScatterCase scatter = RandomCalls.scatter(dtype, rank, new Random(rank));
      DistributedTensor data = DistributedTensor.of(SPARK, scatter.data(), CUT);
      CallOutcome.of(scatter)
          .assertGivenBy(() -> onGpu(() -> data.scatter(scatter.call()).collect()));
    }
  }

  @ParameterizedTest
  @EnumSource
  void gathersAreTheOracles(DType dtype) {
    for (int rank = 0; rank < RANKS; rank++) {
      GatherCase gather = RandomCalls.gather(dtype, rank, new Random(rank));
      DistributedTensor data = DistributedTensor.of(SPARK, gather.data(), CUT);
      CallOutcome.of(gather).assertGivenBy(() -> onGpu(() -> data.gather(gather.call()).collect()));
    }
  }
}

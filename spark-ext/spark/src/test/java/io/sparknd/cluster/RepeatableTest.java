/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Tests that a million float32 updates with many duplicates give the same bits at every partition
 * count.
 */
@Tag("slow")
class RepeatableTest {
  private static final int ROWS = 1_000_000;
  private static final int SLICES = 100_000;

  @ParameterizedTest
  @ValueSource(ints = {1, 16})
  void sumsDoNotDependOnThePartitions(int width) {
    Tensor data = random(Shape.of(SLICES, width), 1);
    ScatterCall call = ScatterCall.of(Scatter.add(), zipf(2), random(Shape.of(ROWS, width), 3));
    Tensor expected = Kernels.auto().scatter(data, call);
    for (int partitions : new int[] {1, 3, 8, 64}) {
      try (DistributedTensor tensor =
              DistributedTensor.of(LocalSpark.session(), data, Partitioning.of(partitions));
          DistributedTensor next = tensor.scatter(call)) {
        TensorAssert.assertSameBits(next.collect(), expected);
      }
    }
  }

  private static Tensor random(Shape shape, long seed) {
    Random random = new Random(seed);
    float[] values = new float[(int) shape.elements()];
    for (int i = 0; i < values.length; i++) {
      values[i] = (float) random.nextGaussian();
    }
    return Tensor.wrap(DType.FLOAT32, shape, values);
  }

  /** Returns indices in which {@code i} has a probability proportional to {@code 1 / i}. */
  private static Tensor zipf(long seed) {
    Random random = new Random(seed);
    long[] indices = new long[ROWS];
    for (int i = 0; i < ROWS; i++) {
      indices[i] = (long) Math.pow((double) SLICES, random.nextDouble()) - 1;
    }
    return Tensor.wrap(DType.INT64, Shape.of(ROWS, 1), indices);
  }
}

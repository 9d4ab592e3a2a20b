/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.LocalSpark;
import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.Gather;
import io.sparknd.op.GatherCall;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.IntStream;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests tasks and shuffle blocks of a gather by a call if the tensor has many partitions. */
class GatherTasksTest {
  private static final int PARTITIONS = 200;
  private static final int ROWS = 5_000;

  @Test
  void shuffleHasFewerBlocksThanPairsOfPartitions() throws Exception {
    Tensor data = numbers();
    Tensor indices =
        Tensor.wrap(
            DType.INT64,
            Shape.of(ROWS, 1),
            IntStream.range(0, ROWS).mapToLong(i -> i * 7919L % ROWS).toArray());
    GatherCall call = GatherCall.of(Gather.strict(), indices);
    SparkContext context = LocalSpark.session().sparkContext();
    MapStages stages = new MapStages();
    try (DistributedTensor tensor =
        DistributedTensor.of(LocalSpark.session(), data, new Partitioning(PARTITIONS, 64))) {
      context.addSparkListener(stages);
      Tensor gathered;
      try (DistributedTensor result = tensor.gather(call)) {
        assertThat(result.partitions()).isEqualTo(PARTITIONS);
        gathered = result.collect();
      }
      context.listenerBus().waitUntilEmpty();
      TensorAssert.assertSameBits(gathered, Kernels.auto().gather(data, call));
      assertThat(stages.tasks).hasSize(1);
      assertThat(stages.tasks.peek()).isBetween(1, Math.max(8, 4 * context.defaultParallelism()));
    } finally {
      context.removeSparkListener(stages);
    }
  }

  /** A task then reads several partitions, whose slices have the same local offsets. */
  @ParameterizedTest
  @ValueSource(ints = {9, 64, 200})
  void gatherMatchesTheKernelIfATaskReadsSeveralPartitions(int partitions) {
    int rows = 3 * partitions;
    int width = 16;
    Random random = new Random(partitions);
    float[] values = new float[rows * width];
    for (int i = 0; i < values.length; i++) {
      values[i] = i;
    }
    Tensor data = Tensor.wrap(DType.FLOAT32, Shape.of(rows, width), values);
    long[] requested = random.longs(1_000, 0, rows).toArray();
    Tensor indices = Tensor.wrap(DType.INT64, Shape.of(requested.length, 1), requested);
    GatherCall call = GatherCall.of(Gather.strict(), indices);
    try (DistributedTensor tensor =
            DistributedTensor.of(LocalSpark.session(), data, new Partitioning(partitions, 64));
        DistributedTensor result = tensor.gather(call)) {
      assertThat(tensor.partitions()).isEqualTo(partitions);
      TensorAssert.assertSameBits(result.collect(), Kernels.auto().gather(data, call));
    }
  }

  private static Tensor numbers() {
    float[] values = new float[ROWS];
    for (int i = 0; i < ROWS; i++) {
      values[i] = i;
    }
    return Tensor.wrap(DType.FLOAT32, Shape.of(ROWS), values);
  }

  /** Records the number of tasks of each stage that wrote a shuffle. */
  private static final class MapStages extends SparkListener {
    private final Queue<Integer> tasks = new ConcurrentLinkedQueue<>();

    @Override
    public void onStageCompleted(SparkListenerStageCompleted stage) {
      if (stage.stageInfo().taskMetrics().shuffleWriteMetrics().recordsWritten() > 0) {
        tasks.add(stage.stageInfo().numTasks());
      }
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;

import io.sparknd.kernel.Kernels;
import io.sparknd.op.GatherCall;
import io.sparknd.op.IncludeSelf;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.TensorFlow;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.List;
import java.util.Random;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Which transfers resident blocks save. */
class ResidentTransfersTest {
  private static final int ROWS = 1024;
  private static final int WIDTH = 64;
  private static final long ROW_BYTES = WIDTH * Float.BYTES;
  private static final long TABLE_BYTES = ROWS * ROW_BYTES;

  /** Rows per block of 4 KiB, the engine's block size. */
  private static final int BLOCK_ROWS = 16;

  /** Most bytes of row index and addresses per slice. */
  private static final long BESIDES = 40;

  private final HostDevices devices = new HostDevices();
  private final Random random = new Random(3);
  private final VersionedTensor table =
      VersionedTensor.of(
          RandomCalls.tensor(DType.FLOAT32, Shape.of(ROWS, WIDTH), random), BLOCK_ROWS);

  private CudfProvider keeping(long bytes) {
    return new CudfProvider(devices, 64 << 20, () -> bytes);
  }

  private Tensor everyRow() {
    return Tensor.of(Shape.of(ROWS, 1), LongStream.range(0, ROWS).toArray());
  }

  private ScatterCall everyRowBy(Reduction reduction, IncludeSelf self) {
    Tensor updates = RandomCalls.tensor(DType.FLOAT32, Shape.of(ROWS, WIDTH), random);
    return ScatterCall.of(Scatter.of(reduction).withSelf(self), everyRow(), updates);
  }

  /** Returns the bytes that a gather of all rows copies to the device, and checks the rows. */
  private long gathered(CudfProvider kernels, VersionedTensor version) {
    long before = devices.up();
    GatherCall call = TensorFlow.gatherNd(everyRow(), 0);
    TensorAssert.assertSameBits(version.gather(kernels, call), version.tensor());
    return devices.up() - before;
  }

  @Test
  void withoutCacheEveryStepCopiesTheSlices() {
    CudfProvider kernels = keeping(0);
    assertThat(gathered(kernels, table)).isGreaterThan(TABLE_BYTES);
    assertThat(gathered(kernels, table)).isGreaterThan(TABLE_BYTES);
    assertThat(devices.taken()).isZero();
  }

  @ParameterizedTest
  @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "MEAN")
  void loopCopiesTheTableOnce(Reduction reduction) {
    CudfProvider kernels = keeping(4 * TABLE_BYTES);
    assertThat(gathered(kernels, table)).isGreaterThan(TABLE_BYTES);
    VersionedTensor version = table;
    for (int step = 0; step < 3; step++) {
      assertThat(gathered(kernels, version)).isLessThan(ROWS * BESIDES);
      long before = devices.up();
      version = version.scatter(kernels, everyRowBy(reduction, IncludeSelf.INCLUDED));
      assertThat(devices.up() - before)
          .as("updates")
          .isGreaterThan(TABLE_BYTES)
          .isLessThan(TABLE_BYTES + ROWS * BESIDES);
    }
    assertThat(gathered(kernels, version)).isLessThan(ROWS * BESIDES);
    assertThat(gathered(kernels, table)).as("the first version").isLessThan(ROWS * BESIDES);
    assertThat(kernels.residents().taken()).isEqualTo(4 * TABLE_BYTES);
  }

  @ParameterizedTest
  @EnumSource(names = {"MEAN", "ADD"})
  void resultsFinishedOnCpuAreCachedForTheNextStep(Reduction reduction) {
    CudfProvider kernels = keeping(4 * TABLE_BYTES);
    gathered(kernels, table);
    long before = devices.up();
    VersionedTensor next = table.scatter(kernels, everyRowBy(reduction, IncludeSelf.EXCLUDED));
    assertThat(devices.up() - before).isLessThan(3 * TABLE_BYTES + ROWS * BESIDES);
    assertThat(gathered(kernels, next)).isLessThan(ROWS * BESIDES);
    assertThat(gathered(kernels, table)).isLessThan(ROWS * BESIDES);
  }

  @Test
  void cacheOfOneVersionHoldsTheNewest() {
    CudfProvider kernels = keeping(TABLE_BYTES);
    gathered(kernels, table);
    VersionedTensor next = table.scatter(kernels, everyRowBy(Reduction.ADD, IncludeSelf.INCLUDED));
    assertThat(gathered(kernels, next)).isLessThan(ROWS * BESIDES);
    assertThat(gathered(kernels, table)).as("copied again").isGreaterThan(TABLE_BYTES);
    assertThat(kernels.residents().taken()).isEqualTo(TABLE_BYTES);
  }

  @Test
  void scatterCachesBlocksForTheNextStep() {
    CudfProvider kernels = keeping(TABLE_BYTES);
    VersionedTensor next = table.scatter(kernels, everyRowBy(Reduction.MAX, IncludeSelf.INCLUDED));
    assertThat(gathered(kernels, next)).isLessThan(ROWS * BESIDES);
  }

  /** Blocks too large to be batched, and more blocks than fit into one batch. */
  @ParameterizedTest
  @CsvSource({"10000, 5000", "80000, 16"})
  void blocksOfAnySizeAreCachedOnTheGpu(int rows, int blockRows) {
    CudfProvider kernels = keeping(1L << 30);
    Tensor expected = numbers(rows);
    VersionedTensor version = VersionedTensor.of(expected, blockRows);
    Tensor indices = Tensor.of(Shape.of(rows, 1), LongStream.range(0, rows).toArray());
    GatherCall gather = TensorFlow.gatherNd(indices, 0);
    for (int step = 0; step < 2; step++) {
      TensorAssert.assertSameBits(version.gather(kernels, gather), expected);
      ScatterCall add = ScatterCall.of(Scatter.add(), indices, numbers(rows));
      version = version.scatter(kernels, add);
      expected = Kernels.auto().scatter(expected, add);
    }
    long before = devices.up();
    TensorAssert.assertSameBits(version.gather(kernels, gather), expected);
    assertThat(devices.up() - before).isLessThan(rows * BESIDES);
  }

  private Tensor numbers(int rows) {
    float[] numbers = new float[rows * WIDTH];
    for (int i = 0; i < numbers.length; i++) {
      numbers[i] = random.nextFloat();
    }
    return Tensor.wrap(DType.FLOAT32, Shape.of(rows, WIDTH), numbers);
  }

  @Test
  void cachedBlocksAreEvictedForABatch() {
    HostDevices small = new HostDevices(5 * TABLE_BYTES);
    CudfProvider kernels = new CudfProvider(small, 64 << 20, () -> 4 * TABLE_BYTES);
    GatherCall all = TensorFlow.gatherNd(everyRow(), 0);
    VersionedTensor version = table;
    Tensor expected = table.tensor();
    for (int step = 0; step < 6; step++) {
      TensorAssert.assertSameBits(version.gather(kernels, all), expected);
      ScatterCall call = everyRowBy(Reduction.ADD, IncludeSelf.INCLUDED);
      version = version.scatter(kernels, call);
      expected = Kernels.auto().scatter(expected, call);
      TensorAssert.assertSame(version.tensor(), expected);
      expected = version.tensor();
    }
    assertThat(small.refused()).isPositive();
    assertThat(kernels.residents().taken()).isPositive();
    kernels.residents().limit(0);
    assertThat(small.taken()).isZero();
  }

  @Test
  void evictionDoesNotBreakConcurrentTasks() throws Exception {
    CudfProvider kernels = keeping(TABLE_BYTES + TABLE_BYTES / 2);
    ExecutorService tasks = Executors.newFixedThreadPool(4);
    try {
      List<Callable<Void>> loops =
          IntStream.range(0, 4).mapToObj(seed -> loop(kernels, seed)).toList();
      for (Future<Void> loop : tasks.invokeAll(loops)) {
        loop.get();
      }
    } finally {
      tasks.shutdown();
    }
    kernels.residents().limit(0);
    assertThat(devices.taken()).isZero();
  }

  /** A training loop that starts from the shared version. */
  private Callable<Void> loop(CudfProvider kernels, int seed) {
    return () -> {
      TrainingCalls calls = new TrainingCalls(DType.FLOAT32, table.shape(), new Random(seed));
      VersionedTensor version = table;
      for (int step = 0; step < 40; step++) {
        for (VersionedTensor each : List.of(table, version)) {
          GatherCall call = calls.gather();
          TensorAssert.assertSameBits(
              each.gather(kernels, call), Kernels.auto().gather(each.tensor(), call));
        }
        ScatterCall call = calls.scatter();
        Tensor expected = Kernels.auto().scatter(version.tensor(), call);
        version = version.scatter(kernels, call);
        TensorAssert.assertSame(version.tensor(), expected);
      }
      return null;
    };
  }
}

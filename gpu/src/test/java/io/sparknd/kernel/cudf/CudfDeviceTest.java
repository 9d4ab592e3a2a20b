/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.rapids.cudf.CudaException;
import ai.rapids.cudf.Rmm;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.GatherCall;
import io.sparknd.op.ScatterCall;
import io.sparknd.op.TensorFlow;
import io.sparknd.oracle.RandomCalls;
import io.sparknd.oracle.TensorAssert;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** A real GPU; skipped without one, unless {@code sparknd.gpu.required} is true. */
class CudfDeviceTest {
  @Test
  void kernelWithoutGpuIsAnErrorWithTheReason() {
    assumeTrue(!Gpu.IS_HERE, "there is a GPU");
    assertThatThrownBy(() -> KernelProviders.named("cudf"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageMatching("kernel 'cudf' cannot run here: .*GPU.*; use kernel 'auto'");
  }

  @Test
  void errorsThatShowWhileWaitingAreThoseOfTheGpu() {
    assumeTrue(!Gpu.IS_HERE, "there is a GPU");
    assertThatThrownBy(() -> new CudfDevice().await())
        .isInstanceOfSatisfying(
            SparkNdException.class,
            e -> assertThat(e.condition()).isEqualTo("SPARKND_GPU_FAILED.DEVICE_FAILED"))
        .hasMessageMatching("CUDA failed with error cuda\\w+ in await; restart .*")
        .hasCauseInstanceOf(CudaException.class); // the RAPIDS Accelerator looks for it
  }

  @Test
  void jarContainsTheCudaLibrary() {
    assertThat(CudfDevices.class.getResource("libsparknd-cuda.so")).isNotNull();
  }

  @Test
  void duplicatesAreFoldedInOrderOnTheGpu() {
    Gpu.need();
    Tensor data = Tensor.of(Shape.of(3), 1f, 2f, 3f);
    Tensor indices = Tensor.of(Shape.of(4, 1), 1L, 1L, 2L, 1L);
    Tensor updates = Tensor.of(Shape.of(4), 1e8f, 1f, 5f, -1e8f);
    assertThat(Kernels.named("cudf").scatter(data, TensorFlow.tensorScatterNdAdd(indices, updates)))
        .isEqualTo(Tensor.of(Shape.of(3), 1f, (2f + 1e8f + 1f) - 1e8f, 8f));
  }

  @Test
  void allDeviceMemoryIsFreed() {
    Gpu.need();
    Tensor data = Tensor.of(Shape.of(3), 1f, 2f, 3f);
    Tensor indices = Tensor.of(Shape.of(1, 1), 1L);
    Kernels.named("cudf")
        .scatter(data, TensorFlow.tensorScatterNdAdd(indices, Tensor.of(Shape.of(1), 4f)));
    assertThat(Rmm.getTotalBytesAllocated()).isZero();
  }

  @Test
  void cachedBlocksAreNeverStale() {
    Gpu.need();
    long bytes = 64 << 10;
    CudfProvider kernels = new CudfProvider(new CudfDevices(), 1 << 20, () -> bytes);
    TrainingCalls calls = new TrainingCalls(DType.FLOAT32, Shape.of(2000, 16), new Random(1));
    Tensor expected = RandomCalls.tensor(DType.FLOAT32, calls.shape(), calls.random());
    VersionedTensor version = VersionedTensor.of(expected, 64);
    for (int step = 0; step < 50; step++) {
      GatherCall gather = calls.gather();
      TensorAssert.assertSameBits(
          version.gather(kernels, gather), Kernels.auto().gather(version.tensor(), gather));
      ScatterCall scatter = calls.scatter();
      expected = Kernels.auto().scatter(expected, scatter);
      version = version.scatter(kernels, scatter);
      TensorAssert.assertSame(version.tensor(), expected);
      assertThat(kernels.residents().taken()).isLessThanOrEqualTo(bytes);
    }
    assertThat(kernels.residents().taken()).isPositive();
    kernels.residents().limit(0);
    assertThat(Rmm.getTotalBytesAllocated()).isZero();
  }
}

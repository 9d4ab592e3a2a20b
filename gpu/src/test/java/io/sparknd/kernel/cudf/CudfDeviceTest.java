/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ai.rapids.cudf.Rmm;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.Kernels;
import io.sparknd.op.TensorFlow;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Tensor;
import org.junit.jupiter.api.Test;

/** The GPU itself; skipped where there is none, unless {@code sparknd.gpu.required} is true. */
class CudfDeviceTest {
  private static final boolean HAS_GPU = new CudfDevices().obstacle().isEmpty();

  private static void needGpu() {
    if (Boolean.getBoolean("sparknd.gpu.required")) {
      assertThat(new CudfDevices().obstacle()).isEmpty();
    }
    assumeTrue(HAS_GPU, "no GPU");
  }

  @Test
  void withoutAGpuTheKernelIsRefusedAndSaysWhy() {
    assumeTrue(!HAS_GPU, "there is a GPU");
    assertThatThrownBy(() -> KernelProviders.named("cudf"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageMatching("kernel 'cudf' cannot run here: .*GPU.*; take kernel 'auto'");
  }

  @Test
  void theLibraryForGpusIsInTheJar() {
    assertThat(CudfDevices.class.getResource("libsparknd-cuda.so")).isNotNull();
  }

  @Test
  void duplicatesAreFoldedInOrderOnTheGpu() {
    needGpu();
    Tensor data = Tensor.of(Shape.of(3), 1f, 2f, 3f);
    Tensor indices = Tensor.of(Shape.of(4, 1), 1L, 1L, 2L, 1L);
    Tensor updates = Tensor.of(Shape.of(4), 1e8f, 1f, 5f, -1e8f);
    assertThat(Kernels.named("cudf").scatter(data, TensorFlow.tensorScatterNdAdd(indices, updates)))
        .isEqualTo(Tensor.of(Shape.of(3), 1f, (2f + 1e8f + 1f) - 1e8f, 8f));
  }

  @Test
  void allMemoryIsGivenBack() {
    needGpu();
    Tensor data = Tensor.of(Shape.of(3), 1f, 2f, 3f);
    Tensor indices = Tensor.of(Shape.of(1, 1), 1L);
    Kernels.named("cudf")
        .scatter(data, TensorFlow.tensorScatterNdAdd(indices, Tensor.of(Shape.of(1), 4f)));
    assertThat(Rmm.getTotalBytesAllocated()).isZero();
  }
}

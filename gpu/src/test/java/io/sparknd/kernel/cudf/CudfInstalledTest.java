/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import io.sparknd.kernel.KernelProviders;
import io.sparknd.tensor.SparkNdException;
import org.junit.jupiter.api.Test;

/** A Spark driver without a GPU, whose executors may have one. */
class CudfInstalledTest {
  @Test
  void driverWithoutGpuAcceptsTheKernelForExecutors() {
    assumeFalse(Gpu.IS_HERE);
    assertThatCode(() -> KernelProviders.require("cudf")).doesNotThrowAnyException();
    assertThatThrownBy(() -> KernelProviders.named("cudf"))
        .isInstanceOf(SparkNdException.class)
        .hasMessageStartingWith("kernel 'cudf' cannot run here: ");
  }
}

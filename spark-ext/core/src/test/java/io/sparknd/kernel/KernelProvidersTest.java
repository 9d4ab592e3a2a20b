/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.kernel.spi.SliceAddresses;
import io.sparknd.op.Reduction;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** Tests the selection of the kernel provider. */
class KernelProvidersTest {
  @Test
  void autoSelectsVectorIfTheModuleIsAvailable() {
    assertThat(KernelProviders.named("auto").name()).isEqualTo("vector");
    assertThat(KernelProviders.automatic()).isSameAs(KernelProviders.named("vector"));
  }

  @Test
  void namedProviderIsSelected() {
    assertThat(KernelProviders.named("scalar").name()).isEqualTo("scalar");
    assertThat(KernelProviders.named("vector").name()).isEqualTo("vector");
  }

  @Test
  void cudfWithoutItsJarIsRejectedWithARemedy() {
    assertThatThrownBy(() -> KernelProviders.named("cudf"))
        .isInstanceOf(SparkNdException.class)
        .hasMessage(
            "kernel 'cudf' is in the jar sparknd-gpu-4.1_2.13, which is not on the class path:"
                + " add it, or use kernel 'auto', 'vector' or 'scalar'");
  }

  @Test
  void kernelThatCannotRunIsAnErrorOfTheMachine() {
    assertThat(KernelErrors.kernelCannotRun("cudf", "no GPU").kind())
        .isEqualTo(SparkNdException.Kind.STATE);
  }

  @Test
  void unknownNameIsReportedWithTheKnownOnes() {
    for (ThrowingCallable requested :
        List.<ThrowingCallable>of(
            () -> KernelProviders.named("simd"), () -> KernelProviders.require("simd"))) {
      assertThatThrownBy(requested)
          .isInstanceOf(SparkNdException.class)
          .hasMessage("kernel 'simd' is unknown; use one of auto, vector, scalar, cudf");
    }
  }

  @Test
  void jvmWithoutTheModuleSelectsScalarAndRejectsVector() throws Exception {
    ForkedJvm run =
        ForkedJvm.run(
            List.of("-cp", System.getProperty("java.class.path"), WithoutModule.class.getName()));
    assertThat(run.exit()).as(run.output()).isZero();
    assertThat(run.output())
        .contains("auto is scalar, 1 + 2 = 3.0")
        .contains("kernel 'vector' needs the module jdk.incubator.vector")
        .contains("--add-modules=jdk.incubator.vector");
  }

  /** The program of the JVM without the vector module. */
  static final class WithoutModule {
    private WithoutModule() {}

    public static void main(String[] arguments) {
      KernelProvider provider = KernelProviders.named("auto");
      float[] target = {1};
      SliceAddresses at = new SliceAddresses();
      at.count = 1;
      provider
          .scatter(DType.FLOAT32, Reduction.ADD)
          .apply(new float[][] {target}, at, new float[] {2}, 1);
      System.out.println("auto is " + provider.name() + ", 1 + 2 = " + target[0]);
      try {
        KernelProviders.named("vector");
      } catch (SparkNdException e) {
        System.out.println(e.getMessage());
      }
    }
  }
}

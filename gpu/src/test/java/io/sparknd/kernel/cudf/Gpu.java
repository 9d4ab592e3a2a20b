/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The GPU of tests, if there is one. */
public final class Gpu {
  static final boolean IS_HERE = new CudfDevices().obstacle().isEmpty();

  private Gpu() {}

  /** Skips the test without a GPU; fails it if {@code sparknd.gpu.required} is true. */
  public static void need() {
    if (Boolean.getBoolean("sparknd.gpu.required")) {
      assertThat(new CudfDevices().obstacle()).isEmpty();
    }
    assumeTrue(IS_HERE, "no GPU");
  }

  /** Returns the GPU for a test that needs one. */
  static Device device() {
    need();
    return new CudfDevices().forThisTask();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

/** The GPU of tests, if there is one. */
public final class Gpu {
  static final boolean IS_HERE = new CudfDevices().obstacle().isEmpty();

  private static final String TESTED = System.getProperty("sparknd.test.kernels", "");

  /** A JVM links native methods once: to the library for GPUs, or to that for the host. */
  private static final boolean IS_TESTED = TESTED.equals("cudf");

  private Gpu() {}

  /** Skips the test without a GPU; fails it if {@code sparknd.gpu.required} is true. */
  public static void need() {
    if (Boolean.getBoolean("sparknd.gpu.required")) {
      assertThat(new CudfDevices().obstacle()).isEmpty();
    }
    assumeTrue(IS_HERE, "no GPU");
    assumeFalse(TESTED.equals("cudf_on_host"), "this JVM tests the kernels for the host");
  }

  /** Skips the test in a JVM that tests a GPU. */
  static void needHost() {
    assumeFalse(IS_TESTED, "this JVM tests the kernels for GPUs");
  }

  /** Returns the tested device. */
  static Device device() {
    return devices().forThisTask();
  }

  /** Returns the tested devices. */
  static Devices devices() {
    if (IS_TESTED) {
      need();
      return new CudfDevices();
    }
    return new HostDevices();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import java.util.List;

/**
 * The kernels under test: those of this jar, or those named by the property {@code
 * sparknd.test.kernels}.
 */
final class TestedKernels {
  private TestedKernels() {}

  /** Returns names as in {@code spark.sparknd.kernel}. */
  static List<String> names() {
    return List.of(System.getProperty("sparknd.test.kernels", "vector,scalar").split(","));
  }

  /**
   * Returns the first and the last kernel, with one thread and with several, with and without
   * sorting of updates.
   */
  static List<Kernels> all() {
    Kernels first = Kernels.named(names().get(0));
    Kernels last = Kernels.named(names().get(names().size() - 1));
    return List.of(
        first,
        last,
        first.withThreads(3),
        first.withSorting(ThreadsTest.ALWAYS),
        last.withThreads(2).withSorting(ThreadsTest.ALWAYS));
  }
}

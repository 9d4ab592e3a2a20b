/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel;

import java.util.List;

/** The kernels that tests of all kernels run: those of this jar, unless a property names others. */
final class TestedKernels {
  private TestedKernels() {}

  /** Names as in {@code spark.sparknd.kernel}. */
  static List<String> names() {
    return List.of(System.getProperty("sparknd.test.kernels", "vector,scalar").split(","));
  }

  /** The first and the last of them, on one thread and on several, sorted first and not. */
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

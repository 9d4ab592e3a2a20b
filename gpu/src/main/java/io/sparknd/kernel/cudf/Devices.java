/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.Optional;

/** The devices of one type in this JVM. */
interface Devices {
  /** The name of their kernels in {@code spark.sparknd.kernel}. */
  String name();

  /** The reason why no device is usable; empty if one is. */
  Optional<String> obstacle();

  /** Returns the device of the task that runs in this thread; outside a task, of this thread. */
  Device forThisTask();
}

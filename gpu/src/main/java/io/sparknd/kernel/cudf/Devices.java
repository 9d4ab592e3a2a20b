/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import java.util.Optional;

/** The devices of one kind that this JVM has. */
interface Devices {
  /** The name of kernels on them, in {@code spark.sparknd.kernel}. */
  String name();

  /** Why there is none; empty if there is one. */
  Optional<String> obstacle();

  /** The device of the task that runs in this thread, or of this thread where there is no task. */
  Device forThisTask();
}

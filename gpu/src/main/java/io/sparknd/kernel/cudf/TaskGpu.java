/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelErrors;
import java.util.OptionalInt;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/** The GPU that Spark's scheduler assigned to the task of this thread. */
final class TaskGpu {
  /** Whether Spark is on the class path; kernels also run without it. */
  static final boolean HAS_SPARK = hasSpark();

  private TaskGpu() {}

  /** Returns the GPU's number; empty outside a task or if the task has no resource {@code gpu}. */
  static OptionalInt ordinal() {
    return HAS_SPARK ? InSpark.ordinal() : OptionalInt.empty();
  }

  private static boolean hasSpark() {
    try {
      Class.forName("org.apache.spark.TaskContext", false, TaskGpu.class.getClassLoader());
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  private static final class InSpark {
    static OptionalInt ordinal() {
      TaskContext task = TaskContext.get();
      if (task == null || !task.resourcesJMap().containsKey("gpu")) {
        return OptionalInt.empty();
      }
      ResourceInformation gpu = task.resourcesJMap().get("gpu");
      try {
        return OptionalInt.of(Integer.parseInt(gpu.addresses()[0].trim()));
      } catch (NumberFormatException e) {
        throw KernelErrors.badGpuAddress(gpu.addresses()[0]);
      }
    }
  }
}

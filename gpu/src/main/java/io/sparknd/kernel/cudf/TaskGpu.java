/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cudf;

import io.sparknd.kernel.KernelErrors;
import org.apache.spark.TaskContext;
import org.apache.spark.resource.ResourceInformation;

/** Which GPU the scheduler gave to the task of this thread. */
final class TaskGpu {
  /** Kernels run without Spark, too. */
  static final boolean HAS_SPARK = hasSpark();

  private TaskGpu() {}

  /** Its number; 0 where there is no task, or no resource {@code gpu} was asked for. */
  static int ordinal() {
    return HAS_SPARK ? InSpark.ordinal() : 0;
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
    static int ordinal() {
      TaskContext task = TaskContext.get();
      if (task == null || !task.resourcesJMap().containsKey("gpu")) {
        return 0;
      }
      ResourceInformation gpu = task.resourcesJMap().get("gpu");
      try {
        return Integer.parseInt(gpu.addresses()[0].trim());
      } catch (NumberFormatException e) {
        throw KernelErrors.badGpuAddress(gpu.addresses()[0]);
      }
    }
  }
}

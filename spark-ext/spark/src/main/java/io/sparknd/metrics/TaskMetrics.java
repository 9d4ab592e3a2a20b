/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

/** What tasks tell of themselves. */
public final class TaskMetrics {
  private static final String SLOW_KERNEL = "scalar";
  private static final String GPU_KERNEL = "cudf";

  private TaskMetrics() {}

  /**
   * A task has folded.
   *
   * @param kernel provider's name
   * @param updates of slices
   */
  public static void folded(String kernel, long updates, long nanos) {
    SparkNdMetric.TASK_FOLDS.add(1);
    SparkNdMetric.TASK_SCALAR_FOLDS.add(kernel.equals(SLOW_KERNEL) ? 1 : 0);
    SparkNdMetric.TASK_CUDF_FOLDS.add(kernel.equals(GPU_KERNEL) ? 1 : 0);
    SparkNdMetric.TASK_UPDATES.add(updates);
    SparkNdMetric.TASK_FOLD_NANOS.add(nanos);
  }

  /** A task has stepped the optimizer of a partition. */
  public static void stepped(long nanos) {
    SparkNdMetric.TASK_STEP_NANOS.add(nanos);
  }
}

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
    Metric.TASK_FOLDS.add(1);
    Metric.TASK_SCALAR_FOLDS.add(kernel.equals(SLOW_KERNEL) ? 1 : 0);
    Metric.TASK_CUDF_FOLDS.add(kernel.equals(GPU_KERNEL) ? 1 : 0);
    Metric.TASK_UPDATES.add(updates);
    Metric.TASK_FOLD_NANOS.add(nanos);
  }

  /** A task has stepped the optimizer of a partition. */
  public static void stepped(long nanos) {
    Metric.TASK_STEP_NANOS.add(nanos);
  }
}

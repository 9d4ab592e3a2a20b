/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.metrics;

/** Counts the work of tasks on executors. */
public final class TaskMetrics {
  /** What tasks ran that replaced values, for example, and so needed no kernel. */
  public static final String NO_KERNEL = "none";

  private static final String SLOW_KERNEL = "scalar";
  private static final String GPU_KERNEL = "cudf";

  private TaskMetrics() {}

  /**
   * Counts one task that folded updates.
   *
   * @param kernel name of its kernel provider, or {@link #NO_KERNEL}
   * @param updates number of slice updates folded
   */
  public static void folded(String kernel, long updates, long nanos) {
    SparkNdMetric.TASK_FOLDS.add(1);
    SparkNdMetric.TASK_SCALAR_FOLDS.add(kernel.equals(SLOW_KERNEL) ? 1 : 0);
    SparkNdMetric.TASK_CUDF_FOLDS.add(kernel.equals(GPU_KERNEL) ? 1 : 0);
    SparkNdMetric.TASK_UPDATES.add(updates);
    SparkNdMetric.TASK_FOLD_NANOS.add(nanos);
  }

  /** Counts rows that a gather looked up without finding their key. */
  public static void missed(long rows) {
    SparkNdMetric.TASK_KEYS_NOT_FOUND.add(rows);
  }

  /** Counts one task that ran the optimizer on a partition. */
  public static void stepped(long nanos) {
    SparkNdMetric.TASK_STEP_NANOS.add(nanos);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.commit;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.QuerySize;
import io.sparknd.table.internal.store.StoredFormat;
import io.sparknd.table.internal.store.StoredTensor;
import org.apache.spark.sql.SparkSession;

/** Chooses the number of tasks of a scatter and the blocks assigned to each. */
final class TaskCounts {
  /**
   * Bytes of updates of a task, if Spark's size estimate is correct and the table has as many
   * blocks.
   */
  private static final long TASK_BYTES = 64L << 20;

  private static final int TASKS_PER_CORE = 1;
  private static final int MAX = 1 << 16;

  private static final int MAX_CONSECUTIVE_BLOCKS = 4;
  private static final int RUNS_PER_TASK = 4;

  private TaskCounts() {}

  static long estimate(StagedScatter update) {
    return QuerySize.estimate(update.rows());
  }

  static int partitions(SparkSession spark, long bytes, StoredFormat format) {
    long cores = ClusterCores.of(spark);
    long bySize = Math.min(bytes / TASK_BYTES, MAX);
    return (int) Math.max(1, Math.min(blocks(format), Math.max(TASKS_PER_CORE * cores, bySize)));
  }

  /**
   * Returns how many consecutive blocks are assigned to the same task. A range of rows then touches
   * the blocks of few tasks, each of which writes a file of deletion vectors if it deletes many
   * rows. If all blocks are touched, tasks still have about equally many.
   */
  static long consecutiveBlocks(StoredTensor tensor, int partitions) {
    long most = tensor.writesWholeBlocks() ? 1 : MAX_CONSECUTIVE_BLOCKS;
    return Math.max(1, Math.min(most, blocks(tensor.format()) / RUNS_PER_TASK / partitions));
  }

  private static long blocks(StoredFormat format) {
    return -Math.floorDiv(-format.rows().shape().dim(0), format.rowsPerBlock());
  }
}

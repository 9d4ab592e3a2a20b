/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.commit;

import io.sparknd.cluster.spark.QuerySize;
import io.sparknd.table.store.StoredFormat;
import io.sparknd.table.store.StoredTensor;
import org.apache.spark.sql.SparkSession;

/** How many tasks a scatter takes. */
final class TaskCounts {
  /** Updates that a task holds at once, where Spark's guess is right. */
  private static final long TASK_BYTES = 64L << 20;

  private static final int TASKS_PER_CORE = 1;
  private static final int MOST = 1 << 16;

  private static final int MOST_NEIGHBOURS = 4;
  private static final int RUNS_PER_TASK = 4;

  private TaskCounts() {}

  static long estimate(StagedScatter update) {
    return QuerySize.estimate(update.rows());
  }

  static int partitions(SparkSession spark, long bytes, StoredFormat format) {
    long cores = spark.sparkContext().defaultParallelism();
    long bySize = Math.min(bytes / TASK_BYTES, MOST);
    return (int) Math.max(1, Math.min(blocks(format), Math.max(TASKS_PER_CORE * cores, bySize)));
  }

  /**
   * Blocks that follow each other and are one task's. A range of rows then touches those of few
   * tasks, each of which leaves a file of deletion vectors if it deletes many rows; but where all
   * blocks are touched, tasks still have about as many each.
   */
  static long neighbours(StoredTensor tensor, int partitions) {
    long most = tensor.writesWholeBlocks() ? 1 : MOST_NEIGHBOURS;
    return Math.max(1, Math.min(most, blocks(tensor.format()) / RUNS_PER_TASK / partitions));
  }

  private static long blocks(StoredFormat format) {
    return -Math.floorDiv(-format.rows().shape().dim(0), format.rowsPerBlock());
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;
import org.apache.spark.SparkConf;

/**
 * What a task of a {@link BarrierLoop} may keep in memory, as shares of an executor's heap.
 *
 * @param tasks tasks of an executor
 */
record BarrierLimits(int tasks) implements Serializable {
  private static final int PARTITIONS_SHARE = 4;
  private static final int ROWS_SHARE = 16;

  static BarrierLimits of(SparkConf conf) {
    int cores = conf.getInt("spark.executor.cores", 1);
    return new BarrierLimits(Math.max(1, cores / conf.getInt("spark.task.cpus", 1)));
  }

  /** Returns the most bytes of a task's partitions; the version before has as many. For tasks. */
  long partitionBytes() {
    return Runtime.getRuntime().maxMemory() / PARTITIONS_SHARE / tasks;
  }

  /** Returns the most bytes of rows that a task's shards request at once. For tasks. */
  long rowBytes() {
    return Runtime.getRuntime().maxMemory() / ROWS_SHARE / tasks;
  }
}

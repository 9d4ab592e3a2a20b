/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.function.Supplier;
import org.apache.spark.BarrierTaskContext;
import org.apache.spark.TaskContext;
import org.apache.spark.TaskContext$;
import org.apache.spark.shuffle.FetchFailedException;

/**
 * The context of a task whose RDD does not depend on the RDDs that it reads. If it cannot read a
 * shuffle of theirs it fails as for any other error: Spark's scheduler, which knows nothing of that
 * shuffle in this job, would stop the application.
 */
final class DetachedTaskContext extends BarrierTaskContext {
  private final int partition;

  /**
   * Makes the context of a task while it computes a partition.
   *
   * @param partition the number that the partition has in its RDD
   */
  DetachedTaskContext(TaskContext task, int partition) {
    super(task);
    this.partition = partition;
  }

  @Override
  public int partitionId() {
    return partition;
  }

  @Override
  public void setFetchFailed(FetchFailedException failure) {}

  /** Returns what a call returns that runs in this context. */
  <T> T call(Supplier<T> call) {
    TaskContext before = TaskContext.get();
    TaskContext$.MODULE$.setTaskContext(this);
    try {
      return call.get();
    } finally {
      TaskContext$.MODULE$.setTaskContext(before);
    }
  }
}

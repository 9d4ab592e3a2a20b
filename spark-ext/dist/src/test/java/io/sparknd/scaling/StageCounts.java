/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.scaling;

import org.apache.spark.SparkContext;
import org.apache.spark.executor.ShuffleWriteMetrics;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;
import org.apache.spark.scheduler.SparkListenerStageCompleted;
import org.apache.spark.scheduler.StageInfo;

/** Counts the jobs, tasks and shuffle records of what runs in a session. */
final class StageCounts extends SparkListener {
  private long jobs;
  private long tasks;
  private long records;
  private long bytes;

  /** Returns the counts of an action. */
  static StageCounts of(SparkContext context, Runnable action) throws Exception {
    StageCounts counts = new StageCounts();
    context.listenerBus().waitUntilEmpty();
    context.addSparkListener(counts);
    try {
      action.run();
      context.listenerBus().waitUntilEmpty();
    } finally {
      context.removeSparkListener(counts);
    }
    return counts;
  }

  @Override
  public synchronized void onJobStart(SparkListenerJobStart job) {
    jobs++;
  }

  @Override
  public synchronized void onStageCompleted(SparkListenerStageCompleted completed) {
    StageInfo stage = completed.stageInfo();
    ShuffleWriteMetrics written = stage.taskMetrics().shuffleWriteMetrics();
    tasks += stage.numTasks();
    records += written.recordsWritten();
    bytes += written.bytesWritten();
  }

  synchronized long jobs() {
    return jobs;
  }

  synchronized long tasks() {
    return tasks;
  }

  /** Records written to shuffle files: batches and messages. */
  synchronized long records() {
    return records;
  }

  /** Bytes written to shuffle files. */
  synchronized long bytes() {
    return bytes;
  }
}

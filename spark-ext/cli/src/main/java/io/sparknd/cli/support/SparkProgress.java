/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cli.support;

import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerStageSubmitted;
import org.apache.spark.scheduler.SparkListenerTaskEnd;

/** Reports finished Spark tasks as progress. */
final class SparkProgress extends SparkListener implements AutoCloseable {
  private final ProgressIndicator work = new ProgressIndicator("sparknd", "tasks");

  // stages, not jobs: the task count of a job includes stages that are then skipped
  @Override
  public void onStageSubmitted(SparkListenerStageSubmitted submitted) {
    work.expect(submitted.stageInfo().numTasks());
  }

  @Override
  public void onTaskEnd(SparkListenerTaskEnd end) {
    if (end.taskInfo().successful()) {
      work.step();
    }
  }

  @Override
  public void close() {
    work.close();
  }
}

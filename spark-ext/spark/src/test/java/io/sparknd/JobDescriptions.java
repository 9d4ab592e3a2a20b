/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerJobStart;

/** Collects the descriptions of jobs. */
public final class JobDescriptions extends SparkListener implements AutoCloseable {
  private final SparkContext context;
  private final List<String> all = new CopyOnWriteArrayList<>();

  private JobDescriptions(SparkContext context) {
    this.context = context;
  }

  public static JobDescriptions of(SparkContext context) {
    JobDescriptions jobs = new JobDescriptions(context);
    context.addSparkListener(jobs);
    return jobs;
  }

  @Override
  public void onJobStart(SparkListenerJobStart job) {
    all.add(String.valueOf(job.properties().getProperty("spark.job.description")));
  }

  /** Returns those of the jobs of {@code work}; "null" for a job without one. */
  public List<String> of(Runnable work) throws Exception {
    context.listenerBus().waitUntilEmpty();
    all.clear();
    work.run();
    context.listenerBus().waitUntilEmpty();
    return List.copyOf(all);
  }

  /** Removes the caller's description. */
  @Override
  public void close() {
    context.setJobDescription(null);
    context.removeSparkListener(this);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.UUID;
import java.util.function.Supplier;
import org.apache.spark.SparkContext;

/**
 * Runs jobs that end when the thread that waits for them is interrupted. Spark itself lets them run
 * on, and their tasks write and cache what nobody waits for.
 */
public final class InterruptedJobs {
  private InterruptedJobs() {}

  /**
   * Runs {@code jobs} in this thread. If it throws an InterruptedException, which Spark does not
   * declare, the running ones are cancelled.
   */
  public static <T> T run(SparkContext context, Supplier<T> jobs) {
    String tag = "sparknd-" + UUID.randomUUID();
    context.addJobTag(tag);
    try {
      return jobs.get();
    } catch (Exception e) {
      if (e instanceof InterruptedException) {
        context.cancelJobsWithTag(tag);
      }
      throw e;
    } finally {
      context.removeJobTag(tag);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import org.apache.spark.SparkContext;

/**
 * What Spark's UI shows of the jobs that this thread starts, until closed. A description that the
 * caller has set stays.
 */
public final class JobDescription implements AutoCloseable {
  private static final String PROPERTY = "spark.job.description";

  private final SparkContext context;
  private final boolean isSet;

  private JobDescription(SparkContext context, boolean isSet) {
    this.context = context;
    this.isSet = isSet;
  }

  public static JobDescription of(SparkContext context, String text) {
    boolean isMissing = context.getLocalProperty(PROPERTY) == null;
    if (isMissing) {
      context.setLocalProperty(PROPERTY, text);
    }
    return new JobDescription(context, isMissing);
  }

  @Override
  public void close() {
    if (isSet) {
      context.setLocalProperty(PROPERTY, null);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import org.apache.spark.SparkConf;
import org.apache.spark.SparkContext;
import org.apache.spark.sql.SparkSession;

/** How many tasks a cluster runs at a time. */
public final class ClusterCores {
  private ClusterCores() {}

  /** As {@link #of(SparkContext)}. */
  public static int of(SparkSession spark) {
    return of(spark.sparkContext());
  }

  /**
   * Returns the cores that there are, or with dynamic allocation those that there may be: executors
   * come only when tasks wait for them, so that work for the first two cores would stay there.
   */
  public static int of(SparkContext context) {
    int now = context.defaultParallelism();
    return context.isLocal() ? now : Math.max(now, most(context.getConf()));
  }

  /**
   * Returns the tasks of the most executors that dynamic allocation may start, and no more than
   * Spark SQL has in a stage; 0 without such a bound.
   */
  static int most(SparkConf conf) {
    boolean isBounded =
        conf.getBoolean("spark.dynamicAllocation.enabled", false)
            && conf.contains("spark.dynamicAllocation.maxExecutors")
            && !conf.contains("spark.default.parallelism");
    if (!isBounded) {
      return 0;
    }
    long executors = conf.getInt("spark.dynamicAllocation.maxExecutors", 0);
    return (int)
        Math.min(
            executors * TaskMemory.tasks(conf), conf.getInt("spark.sql.shuffle.partitions", 200));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import org.apache.spark.api.java.JavaRDD;

/** Cuts of lineage without a job of their own, and what is left of them. */
public final class LineageCut {
  private LineageCut() {}

  /**
   * Makes an RDD that is marked for a checkpoint, and computed, the first of its lineage. Spark
   * does so by itself at the end of a job, but not where only the map side of a shuffle ran.
   */
  public static void now(JavaRDD<?> rdd) {
    rdd.rdd().doCheckpoint();
  }

  /**
   * Gives back what executors keep of an RDD that nobody will ask for again, without the warning
   * that {@code unpersist} logs of every one that was cut off.
   */
  public static void forget(JavaRDD<?> rdd) {
    rdd.context().unpersistRDD(rdd.id(), false);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What Spark's planner knows of sizes, in bytes. */
public final class QuerySize {
  private QuerySize() {}

  /** The planner's estimate of the rows of {@code query}, which may be far off either way. */
  public static long estimate(Dataset<Row> query) {
    return clamped(ClassicSpark.of(query).queryExecution().optimizedPlan().stats().sizeInBytes());
  }

  private static long clamped(scala.math.BigInt bytes) {
    return bytes.isValidLong() ? bytes.toLong() : Long.MAX_VALUE;
  }

  /**
   * Below this Spark broadcasts one side of a join on its own: {@code
   * spark.sql.autoBroadcastJoinThreshold}; negative for never.
   */
  public static long broadcastThreshold(SparkSession spark) {
    return ClassicSpark.of(spark).sessionState().conf().autoBroadcastJoinThreshold();
  }
}

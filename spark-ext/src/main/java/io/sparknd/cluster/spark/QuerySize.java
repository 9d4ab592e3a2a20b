/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import io.sparknd.tensor.NdErrors;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** What Spark's planner knows of sizes, in bytes. */
public final class QuerySize {
  private QuerySize() {}

  /** The planner's estimate of the rows of {@code query}, which may be far off either way. */
  public static long estimate(Dataset<Row> query) {
    if (query instanceof org.apache.spark.sql.classic.Dataset<Row> classic) {
      return clamped(classic.queryExecution().optimizedPlan().stats().sizeInBytes());
    }
    throw NdErrors.notClassicSpark(query.getClass().getName());
  }

  private static long clamped(scala.math.BigInt bytes) {
    return bytes.isValidLong() ? bytes.toLong() : Long.MAX_VALUE;
  }

  /**
   * Below this Spark broadcasts one side of a join on its own: {@code
   * spark.sql.autoBroadcastJoinThreshold}; negative for never.
   */
  public static long broadcastThreshold(SparkSession spark) {
    if (spark instanceof org.apache.spark.sql.classic.SparkSession classic) {
      return classic.sessionState().conf().autoBroadcastJoinThreshold();
    }
    throw NdErrors.notClassicSpark(spark.getClass().getName());
  }
}

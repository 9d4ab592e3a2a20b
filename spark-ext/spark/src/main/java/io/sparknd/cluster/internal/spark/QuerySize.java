/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;

/** Sizes that Spark's planner knows, in bytes. */
public final class QuerySize {
  private QuerySize() {}

  /**
   * Returns the planner's estimate of the rows of {@code query}, which may be far too high or low.
   */
  public static long estimate(Dataset<Row> query) {
    return clamped(ClassicSpark.of(query).queryExecution().optimizedPlan().stats().sizeInBytes());
  }

  private static long clamped(scala.math.BigInt bytes) {
    return bytes.isValidLong() ? bytes.toLong() : Long.MAX_VALUE;
  }

  /**
   * Returns {@code spark.sql.autoBroadcastJoinThreshold}, below which Spark itself broadcasts one
   * side of a join; negative for never.
   */
  public static long broadcastThreshold(SparkSession spark) {
    return ClassicSpark.of(spark).sessionState().conf().autoBroadcastJoinThreshold();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.scan;

import org.apache.spark.sql.connector.metric.CustomSumMetric;
import org.apache.spark.sql.connector.metric.CustomTaskMetric;

/**
 * The metric of splits of files that were read in batches; Iceberg read the others row by row.
 * Spark makes instances by the constructor without arguments.
 */
public final class BatchedSplits extends CustomSumMetric {
  private static final String NAME = "numBatchedSplits";

  @Override
  public String name() {
    return NAME;
  }

  @Override
  public String description() {
    return "number of file splits read in batches";
  }

  /** The metric's value of one task. */
  record OfTask(long value) implements CustomTaskMetric {
    @Override
    public String name() {
      return NAME;
    }
  }
}

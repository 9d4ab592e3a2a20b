/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.version.VersionHandle;
import java.util.List;
import org.apache.spark.SparkContext;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/** Closes the tensors of one query when the query ends. */
final class QueryCleanupListener extends SparkListener {
  private final SparkContext spark;
  private final long execution;
  private final List<VersionHandle> tensors;

  private QueryCleanupListener(SparkContext spark, long execution, List<VersionHandle> tensors) {
    this.spark = spark;
    this.execution = execution;
    this.tensors = tensors;
  }

  /**
   * Releases the storage of {@code tensors} when the current query ends. Outside a query, Spark
   * releases it once the tensors are unreachable. Either way they can be recomputed.
   */
  static void closeAfterQuery(SparkContext spark, List<VersionHandle> tensors) {
    String execution = spark.getLocalProperty(SQLExecution.EXECUTION_ID_KEY());
    if (execution != null) {
      spark.addSparkListener(new QueryCleanupListener(spark, Long.parseLong(execution), tensors));
    }
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    if (event instanceof SparkListenerSQLExecutionEnd end && end.executionId() == execution) {
      tensors.forEach(VersionHandle::close);
      spark.removeSparkListener(this);
    }
  }
}

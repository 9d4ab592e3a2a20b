/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.version.VersionHandle;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Objects;
import org.apache.spark.SparkContext;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.rdd.RDD;
import org.apache.spark.scheduler.SparkListener;
import org.apache.spark.scheduler.SparkListenerEvent;
import org.apache.spark.sql.execution.SQLExecution;
import org.apache.spark.sql.execution.ui.SparkListenerSQLExecutionEnd;

/**
 * Closes the tensors of one query when the query ends. Spark may drop the event that says so, in a
 * server whose listeners are slow: the tensors are then released once they are unreachable, for
 * which the listener refers to them weakly.
 */
final class QueryCleanupListener extends SparkListener {
  private final SparkContext spark;
  private final long execution;
  private final List<WeakReference<RDD<?>>> tensors;

  private QueryCleanupListener(SparkContext spark, long execution, List<JavaRDD<?>> tensors) {
    this.spark = spark;
    this.execution = execution;
    this.tensors = tensors.stream().map(tensor -> new WeakReference<RDD<?>>(tensor.rdd())).toList();
  }

  /**
   * Releases the storage of {@code tensors} when the current query ends. Outside a query, Spark
   * releases it once the tensors are unreachable. Either way they can be recomputed.
   */
  static void closeAfterQuery(SparkContext spark, List<JavaRDD<?>> tensors) {
    String execution = spark.getLocalProperty(SQLExecution.EXECUTION_ID_KEY());
    if (execution != null && !tensors.isEmpty()) {
      spark.addSparkListener(new QueryCleanupListener(spark, Long.parseLong(execution), tensors));
    }
  }

  @Override
  public void onOtherEvent(SparkListenerEvent event) {
    List<RDD<?>> reachable =
        tensors.stream().<RDD<?>>map(WeakReference::get).filter(Objects::nonNull).toList();
    boolean isEnd =
        event instanceof SparkListenerSQLExecutionEnd end && end.executionId() == execution;
    if (isEnd) {
      reachable.forEach(tensor -> new VersionHandle(tensor.toJavaRDD()).close());
    }
    if (isEnd || reachable.isEmpty()) {
      spark.removeSparkListener(this);
    }
  }
}

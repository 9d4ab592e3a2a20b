/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.scan;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.execution.CollectMetricsExec;
import org.apache.spark.sql.execution.ColumnarToRowExec;
import org.apache.spark.sql.execution.FileSourceScanExec;
import org.apache.spark.sql.execution.FilterExec;
import org.apache.spark.sql.execution.InputAdapter;
import org.apache.spark.sql.execution.LocalTableScanExec;
import org.apache.spark.sql.execution.ProjectExec;
import org.apache.spark.sql.execution.RangeExec;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.WholeStageCodegenExec;
import org.apache.spark.sql.execution.adaptive.AdaptiveSparkPlanExec;
import org.apache.spark.sql.execution.adaptive.TableCacheQueryStageExec;
import org.apache.spark.sql.execution.columnar.InMemoryTableScanExec;
import org.apache.spark.sql.execution.datasources.v2.BatchScanExec;
import org.apache.spark.sql.execution.exchange.Exchange;
import scala.jdk.javaapi.CollectionConverters;

/**
 * Tells from the physical plan of a Dataset whether it is cheap and safe to read more than once.
 */
public final class TablePlan {
  private TablePlan() {}

  /**
   * Returns whether the rows are those of a table, at most filtered and projected. Reading some of
   * their columns first then costs little and gives the same rows in the same partitions.
   */
  public static boolean isScan(Dataset<Row> dataset) {
    return isScan(ClassicSpark.of(dataset).queryExecution().executedPlan());
  }

  /**
   * Returns whether metrics of {@link Dataset#observe} would count the rows again if they were read
   * twice. They would not if a shuffle is between: Spark keeps its files.
   */
  public static boolean isObserved(Dataset<Row> dataset) {
    return isObserved(ClassicSpark.of(dataset).queryExecution().executedPlan());
  }

  private static boolean isObserved(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return isObserved(adaptive.initialPlan());
    }
    if (plan instanceof PlannedRowsExec part) {
      return isObserved(part.planned());
    }
    return plan instanceof CollectMetricsExec
        || !(plan instanceof Exchange)
            && CollectionConverters.asJava(plan.children()).stream()
                .anyMatch(TablePlan::isObserved);
  }

  private static boolean isScan(SparkPlan plan) {
    if (plan instanceof AdaptiveSparkPlanExec adaptive) {
      return isScan(adaptive.initialPlan());
    }
    if (plan instanceof PlannedRowsExec part) {
      return isScan(part.planned());
    }
    if (plan instanceof TableCacheQueryStageExec stage) {
      return isScan(stage.plan());
    }
    boolean keepsRows =
        plan instanceof ProjectExec
            || plan instanceof FilterExec
            || plan instanceof ColumnarToRowExec
            || plan instanceof WholeStageCodegenExec
            || plan instanceof InputAdapter;
    return isLeaf(plan)
        || keepsRows
            && CollectionConverters.asJava(plan.expressions()).stream()
                .allMatch(Expression::deterministic)
            && CollectionConverters.asJava(plan.children()).stream().allMatch(TablePlan::isScan);
  }

  private static boolean isLeaf(SparkPlan plan) {
    return plan instanceof FileSourceScanExec
        || plan instanceof BatchScanExec
        || plan instanceof InMemoryTableScanExec
        || plan instanceof LocalTableScanExec
        || plan instanceof RangeExec;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.catalyst.plans.logical.Statistics;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.execution.SparkPlan;
import org.apache.spark.sql.execution.SparkStrategy;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2ScanRelation;
import scala.collection.immutable.Seq;

/** Plans {@link TensorQuery} as {@link TensorQueryExec}. */
final class TensorStrategy extends SparkStrategy {
  @Override
  public Seq<SparkPlan> apply(LogicalPlan plan) {
    if (!(plan instanceof TensorQuery query)) {
      return ScalaSeqs.of(List.of());
    }
    rejectPartitionColumns(query);
    List<LogicalPlan> inputs = new ArrayList<>(query.tables());
    // last, so that the tables keep their argument positions
    if (query.operation().readsIndices()) {
      query.indices().filter(TensorStrategy::isScan).ifPresent(inputs::add);
    }
    List<SparkPlan> planned = inputs.stream().map(this::planLater).toList();
    List<Statistics> sizes = inputs.stream().map(LogicalPlan::stats).toList();
    // runtime errors also report the position in the statement
    SparkPlan exec =
        CurrentOrigin.withOrigin(
            query.origin(),
            () ->
                new TensorQueryExec(
                    query.operation(),
                    query.tables().size(),
                    ScalaSeqs.of(planned),
                    query.output(),
                    ScalaSeqs.of(sizes),
                    query.keys()));
    return ScalaSeqs.of(List.of(exec));
  }

  private static void rejectPartitionColumns(TensorQuery query) {
    try {
      PartitionColumns.rejectAsValues(query);
    } catch (SparkNdException e) {
      throw SparkNdRuntimeException.at(query.origin().context(), e);
    }
  }

  /**
   * Whether the plan only scans, projects and filters a table. Anything more would be computed
   * twice.
   */
  private static boolean isScan(LogicalPlan plan) {
    boolean keepsRows = plan instanceof Project || plan instanceof Filter;
    return plan instanceof LogicalRelation
        || plan instanceof DataSourceV2ScanRelation
        || plan instanceof InMemoryRelation
        || plan instanceof LocalRelation
        || plan instanceof Range
        || keepsRows
            && ScalaSeqs.list(plan.expressions()).stream().allMatch(Expression::deterministic)
            && ScalaSeqs.list(plan.children()).stream().allMatch(TensorStrategy::isScan);
  }
}

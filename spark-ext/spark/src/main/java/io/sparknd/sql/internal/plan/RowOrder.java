/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import java.util.Set;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LocalRelation;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Range;
import org.apache.spark.sql.execution.columnar.InMemoryRelation;
import org.apache.spark.sql.execution.datasources.HadoopFsRelation;
import org.apache.spark.sql.execution.datasources.LogicalRelation;

/** Tells whether a filter leaves the order of the remaining rows of a plan as it is. */
final class RowOrder {
  private RowOrder() {}

  /**
   * Returns whether the rows that pass a filter on {@code columns} keep their order. If a filter
   * selects directories, Spark splits and orders the remaining files anew; a join, an aggregation
   * or another source may choose another plan.
   */
  static boolean isKept(LogicalPlan plan, List<Attribute> columns) {
    Set<ExprId> directories = PartitionColumns.of(plan);
    return isOrdered(plan)
        && columns.stream().noneMatch(column -> directories.contains(column.exprId()));
  }

  private static boolean isOrdered(LogicalPlan plan) {
    boolean keepsRows = plan instanceof Project || plan instanceof Filter;
    return plan instanceof LogicalRelation relation
            && relation.relation() instanceof HadoopFsRelation
        || plan instanceof InMemoryRelation
        || plan instanceof LocalRelation
        || plan instanceof Range
        || keepsRows
            && ScalaSeqs.list(plan.expressions()).stream().allMatch(Expression::deterministic)
            && ScalaSeqs.list(plan.children()).stream().allMatch(RowOrder::isOrdered);
  }
}

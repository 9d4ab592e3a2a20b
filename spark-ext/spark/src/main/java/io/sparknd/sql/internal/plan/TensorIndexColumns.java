/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.runtime.AbstractPartialFunction;

/**
 * Gives a query whose first table is a tensor a second child, which projects the index columns of
 * that table, so that a first pass over them reads nothing else. A table that is itself the result
 * of a table function, unless it is cached, is no scan and has no such pass; it gets no child: a
 * plan of nested calls would double with every call.
 */
final class TensorIndexColumns extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.transformUp(new Added());
  }

  private static final class Added extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    @Override
    public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof TensorQuery query
          && query.operation().tensorTable().isPresent()
          && query.indices().isEmpty()
          && !hasQuery(query.tables().get(0));
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      TensorQuery query = (TensorQuery) plan;
      LogicalPlan table = query.tables().get(0);
      List<NamedExpression> indices =
          query.tensorIndices(table).stream().map(NamedExpression.class::cast).toList();
      List<LogicalPlan> children = new ArrayList<>(query.tables());
      children.add(1, TensorQuery.project(indices, table));
      return query.with(query.operation(), children, query.columns());
    }
  }

  private static boolean hasQuery(LogicalPlan plan) {
    return plan instanceof TensorQuery
        || ScalaSeqs.list(plan.children()).stream().anyMatch(TensorIndexColumns::hasQuery);
  }
}

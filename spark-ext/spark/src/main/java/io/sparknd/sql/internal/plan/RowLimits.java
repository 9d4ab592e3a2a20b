/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import scala.Option;

/** Limits the rows of a gather, each of which becomes one row of its result. */
final class RowLimits {
  /** The most rows that are moved to one partition before they are gathered. */
  private static final int FEW = 1024;

  private RowLimits() {}

  /** Limits the rows of each partition. */
  static LogicalPlan pushed(LocalLimit limit) {
    int most = most(limit.limitExpr());
    return with(
        limit,
        limit.child(),
        rows ->
            isWithin(rows.maxRowsPerPartition(), most)
                ? rows
                : new LocalLimit(limit.limitExpr(), rows));
  }

  /** Limits all rows, if the limit is small, once those of each partition are limited. */
  static LogicalPlan pushed(GlobalLimit limit) {
    int most = most(limit.limitExpr());
    LocalLimit each = (LocalLimit) limit.child();
    LogicalPlan pushed =
        with(
            each,
            each.child(),
            rows ->
                most > FEW || isWithin(rows.maxRows(), most)
                    ? rows
                    : new GlobalLimit(limit.limitExpr(), rows));
    return replaced(limit, each, pushed);
  }

  private static int most(Expression limit) {
    return ((Number) limit.eval(null)).intValue();
  }

  private static boolean isWithin(Option<Object> known, int most) {
    return known.isDefined() && ((Number) known.get()).longValue() <= most;
  }

  /** Returns {@code plan} with limited rows of the gather that is {@code child}, if it is one. */
  private static LogicalPlan with(
      LogicalPlan plan, LogicalPlan child, UnaryOperator<LogicalPlan> limit) {
    if (child instanceof Project project) {
      return replaced(plan, child, with(project, project.child(), limit));
    }
    if (!(child instanceof TensorQuery query)
        || !(query.operation() instanceof GatherOperation gather)) {
      return plan;
    }
    LogicalPlan limited = limit.apply(query.last());
    if (limited == query.last()) {
      return plan;
    }
    return replaced(plan, query, with(query, gather, limited));
  }

  private static TensorQuery with(TensorQuery query, GatherOperation gather, LogicalPlan limited) {
    List<LogicalPlan> children = new ArrayList<>(query.exceptLast());
    if (gather instanceof GatherRows rows && limited instanceof GlobalLimit all) {
      // it stops after so many rows itself, without a shuffle
      children.add(query.last());
      SliceNeed few = SliceNeed.ofRows(most(all.limitExpr()));
      return query.with(rows.with(few), children, query.columns());
    }
    children.add(limited);
    return query.with(gather, children, query.columns());
  }

  private static LogicalPlan replaced(LogicalPlan plan, LogicalPlan before, LogicalPlan after) {
    return before == after ? plan : plan.withNewChildren(ScalaSeqs.of(List.of(after)));
  }
}

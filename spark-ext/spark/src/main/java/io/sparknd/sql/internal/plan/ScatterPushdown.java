/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.cluster.internal.tables.SliceRange;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.UserDefinedExpression;
import org.apache.spark.sql.catalyst.optimizer.PushDownPredicates$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.runtime.AbstractPartialFunction;

/**
 * Pushes filters on the index columns of a scatter's result to the tensor's table and to the
 * updates, and returns only the slices between the bounds that the filters give. The filter itself
 * stays, because a scatter also returns slices that no row names. Runs once, when Spark has moved
 * filters as far down as they go.
 */
final class ScatterPushdown extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.transformDown(new Pushed());
  }

  private static final class Pushed extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    @Override
    public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof Filter;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      Filter filter = (Filter) plan;
      return filter.child() instanceof TensorQuery query
              && query.operation() instanceof ScatterOperation scatter
              && scatter.range().equals(SliceRange.ALL)
          ? filtered(filter, query, scatter)
          : plan;
    }
  }

  private static LogicalPlan filtered(Filter filter, TensorQuery query, ScatterOperation scatter) {
    List<Attribute> columns = query.columns().subList(0, scatter.depth());
    AttributeSet indices = ScalaSeqs.set(ScalaSeqs.of(columns));
    List<Expression> all = FilterTerms.of(filter.condition());
    List<Expression> conditions =
        all.stream().filter(each -> isPushed(each) && each.references().subsetOf(indices)).toList();
    if (conditions.size() < all.size()) {
      // one that stays may guard one that can fail
      conditions = conditions.stream().filter(FilterTerms::cannotFail).toList();
    }
    if (conditions.isEmpty()) {
      return filter;
    }
    IndexFilters filters = new IndexFilters(columns, scatter.shape(), conditions);
    List<LogicalPlan> children = new ArrayList<>();
    for (LogicalPlan tensor : query.exceptLast()) {
      children.add(moved(filters.filtered(tensor, query.tensorIndices(tensor))));
    }
    children.add(updates(filters, query.last(), scatter));
    SliceRange range = IndexBounds.range(conditions, columns, scatter.outer());
    Optional<SliceSet> few = IndexLists.slices(conditions, columns, scatter.outer());
    TensorQuery pushed = query.with(scatter.within(range, few), children, query.columns());
    return new Filter(filter.condition(), pushed);
  }

  /** Whether a condition on constants and columns may be evaluated on the rows of the tables. */
  private static boolean isPushed(Expression condition) {
    return !condition.references().isEmpty()
        && FilterTerms.canMove(condition)
        && !FilterTerms.contains(condition, UserDefinedExpression.class);
  }

  private static LogicalPlan updates(
      IndexFilters filters, LogicalPlan updates, ScatterOperation scatter) {
    List<Attribute> columns = ScalaSeqs.list(updates.output());
    List<Attribute> indices = scatter.updates().indices().stream().map(columns::get).toList();
    return scatter.isOrderFree() || RowOrder.isKept(updates, indices)
        ? moved(filters.filtered(updates, indices))
        : updates;
  }

  /** Moves a new filter on top of {@code plan} down. */
  private static LogicalPlan moved(LogicalPlan plan) {
    return new GatherPushdown().apply(PushDownPredicates$.MODULE$.apply(plan));
  }
}

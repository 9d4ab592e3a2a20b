/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.runtime.AbstractPartialFunction;

/**
 * Pushes filters on the columns that a gather passes through, and limits, to the rows that it
 * reads. Conditions on index columns also filter the tensor's table.
 */
final class GatherPushdown extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.transformUp(new Pushed());
  }

  private static final class Pushed extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    @Override
    public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof Filter || isLimit(plan) && !plan.isStreaming();
    }

    /** A limit of a stream counts the rows of all micro-batches, and is left where it is. */
    private static boolean isLimit(LogicalPlan plan) {
      return plan instanceof LocalLimit
          || plan instanceof GlobalLimit limit && limit.child() instanceof LocalLimit;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      if (plan instanceof LocalLimit limit) {
        return RowLimits.pushed(limit);
      }
      if (plan instanceof GlobalLimit limit) {
        return RowLimits.pushed(limit);
      }
      Filter filter = (Filter) plan;
      return filter.child() instanceof TensorQuery query
              && query.operation() instanceof GatherOperation gather
              && !query.isLimited()
          ? filtered(filter, query, gather)
          : plan;
    }
  }

  private static LogicalPlan filtered(Filter filter, TensorQuery query, GatherOperation gather) {
    List<Attribute> columns = query.columns().subList(0, gather.columns());
    AttributeSet passed = ScalaSeqs.set(ScalaSeqs.of(columns));
    List<Expression> pushed = new ArrayList<>();
    List<Expression> kept = new ArrayList<>();
    for (Expression each : FilterTerms.of(filter.condition())) {
      boolean moves = FilterTerms.canMove(each) && each.references().subsetOf(passed);
      (moves ? pushed : kept).add(each);
    }
    if (pushed.isEmpty()) {
      return filter;
    }
    List<LogicalPlan> children = new ArrayList<>();
    query.exceptLast().forEach(tensor -> children.add(slices(tensor, query, columns, pushed)));
    ColumnReplacement below = new ColumnReplacement(columns, ScalaSeqs.list(query.last().output()));
    children.add(FilterTerms.filter(pushed.stream().map(below::in).toList(), query.last()));
    return FilterTerms.filter(
        kept, query.with(narrowed(gather, columns, pushed), children, query.columns()));
  }

  /** Returns the operation with the slices that rows name, if the conditions leave few. */
  private static GatherOperation narrowed(
      GatherOperation gather, List<Attribute> columns, List<Expression> pushed) {
    if (!(gather instanceof GatherRows rows) || !rows.keepsIndices()) {
      return gather;
    }
    List<Attribute> tuple = rows.indices().stream().map(columns::get).toList();
    Shape outer = rows.shape().first(tuple.size());
    boolean noneIsBad =
        IntStream.range(0, tuple.size())
            .allMatch(d -> IndexBounds.areInBounds(pushed, tuple.get(d), outer.dim(d)));
    return Optional.of(rows)
        .filter(any -> noneIsBad)
        .flatMap(any -> IndexLists.slices(pushed, tuple, outer))
        .<GatherOperation>map(slices -> rows.with(SliceNeed.of(slices)))
        .orElse(gather);
  }

  /**
   * Filters the slices that rows can name.
   *
   * @param tensor the tensor's table, or its index columns alone
   */
  private static LogicalPlan slices(
      LogicalPlan tensor, TensorQuery query, List<Attribute> columns, List<Expression> pushed) {
    if (!(query.operation() instanceof GatherRows rows) || !rows.keepsIndices()) {
      return tensor;
    }
    List<Attribute> tuple = rows.indices().stream().map(columns::get).toList();
    // a condition that can fail would be evaluated for slices that no row names
    List<Expression> safe = pushed.stream().filter(FilterTerms::cannotFail).toList();
    return new IndexFilters(tuple, rows.shape(), safe)
        .filtered(tensor, query.tensorIndices(tensor));
  }
}

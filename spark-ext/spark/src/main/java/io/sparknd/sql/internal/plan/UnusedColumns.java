/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.DataTypes;
import scala.runtime.AbstractPartialFunction;

/**
 * Drops columns of a query that no operator above uses: columns that a gather passes through,
 * variables, and slices. Indices are checked all the same.
 */
final class UnusedColumns extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return plan.transformUp(new Pruned());
  }

  private static final class Pruned extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    @Override
    public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof Project;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      Project project = (Project) plan;
      if (project.child() instanceof Filter filter) {
        LogicalPlan below =
            pruned(filter.child(), project.references().$plus$plus(filter.references()));
        return below == filter.child() ? plan : with(project, with(filter, below));
      }
      LogicalPlan below = pruned(project.child(), project.references());
      return below == project.child() ? plan : with(project, below);
    }

    private static LogicalPlan with(LogicalPlan plan, LogicalPlan child) {
      return plan.withNewChildren(ScalaSeqs.of(List.of(child)));
    }

    private static LogicalPlan pruned(LogicalPlan plan, AttributeSet used) {
      if (!(plan instanceof TensorQuery query)) {
        return plan;
      }
      if (query.operation() instanceof GatherOperation gather) {
        return kept(query, gather, used);
      }
      Attribute value = query.columns().get(query.columns().size() - 1);
      return query.operation() instanceof ScatterOperation scatter && !used.contains(value)
          ? UnusedSlices.without(query, scatter)
          : plan;
    }
  }

  private static LogicalPlan kept(TensorQuery query, GatherOperation gather, AttributeSet used) {
    List<Attribute> columns = query.columns();
    List<Integer> kept = gather.used(i -> used.contains(columns.get(i)));
    if (kept.size() == columns.size()) {
      return query;
    }
    GatherOperation pruned = gather.keeping(kept);
    List<LogicalPlan> children = new ArrayList<>();
    if (pruned.tensorTable().isPresent()) {
      children.addAll(query.exceptLast());
    }
    LogicalPlan rows = pruned instanceof CheckedRows ? limited(query.last(), gather) : query.last();
    children.add(pruned.columns() == gather.columns() ? rows : rows(rows, gather, kept));
    return query.with(pruned, children, kept.stream().map(columns::get).toList());
  }

  /** Returns the rows that a gather with slices returns; without slices, it does not limit them. */
  private static LogicalPlan limited(LogicalPlan rows, GatherOperation gather) {
    return gather instanceof GatherRows each && each.need().limit().isPresent()
        ? new GlobalLimit(new Literal(each.need().limit().getAsInt(), DataTypes.IntegerType), rows)
        : rows;
  }

  private static LogicalPlan rows(LogicalPlan rows, GatherOperation gather, List<Integer> kept) {
    List<Attribute> columns = ScalaSeqs.list(rows.output());
    Stream<NamedExpression> shown =
        kept.stream().filter(i -> i < gather.columns()).map(columns::get);
    return TensorQuery.project(shown.toList(), rows);
  }
}

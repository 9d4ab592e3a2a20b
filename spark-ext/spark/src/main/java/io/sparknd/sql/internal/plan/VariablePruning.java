/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import java.util.function.IntPredicate;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.AttributeSet;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import scala.runtime.AbstractPartialFunction;

/** Drops variables that no operator above a gather by key uses, so that they are not read. */
final class VariablePruning extends Rule<LogicalPlan> {
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
        LogicalPlan kept =
            pruned(filter.child(), project.references().$plus$plus(filter.references()));
        return kept == filter.child() ? plan : with(project, with(filter, kept));
      }
      LogicalPlan kept = pruned(project.child(), project.references());
      return kept == project.child() ? plan : with(project, kept);
    }

    private static LogicalPlan with(LogicalPlan plan, LogicalPlan child) {
      return plan.withNewChildren(ScalaSeqs.of(List.of(child)));
    }

    private static LogicalPlan pruned(LogicalPlan plan, AttributeSet used) {
      if (!(plan instanceof TensorQuery query)
          || !(query.operation() instanceof KeyedGatherRows gather)) {
        return plan;
      }
      List<Attribute> output = ScalaSeqs.list(query.output());
      IntPredicate isUsed = i -> used.contains(output.get(i));
      List<Attribute> kept =
          IntStream.range(0, output.size())
              .filter(i -> gather.isKept(i, isUsed))
              .mapToObj(output::get)
              .toList();
      return kept.size() == output.size()
          ? plan
          : new TensorQuery(gather.keeping(isUsed), query.children(), ScalaSeqs.of(kept));
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.DynamicPruningSubquery;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.planning.ExtractEquiJoinKeys$;
import org.apache.spark.sql.catalyst.plans.Inner$;
import org.apache.spark.sql.catalyst.plans.JoinType;
import org.apache.spark.sql.catalyst.plans.LeftSemi$;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.GlobalLimit;
import org.apache.spark.sql.catalyst.plans.logical.Join;
import org.apache.spark.sql.catalyst.plans.logical.LocalLimit;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Offset;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.plans.logical.Sample;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import scala.Option;
import scala.runtime.AbstractPartialFunction;

/**
 * Lets a join with a small table restrict the slices of a scatter to those that the table names, by
 * Spark's own filters for dynamic partition pruning. Such a filter takes the keys that the join
 * broadcasts anyway, so it adds no job; if the join broadcasts no such table, Spark drops it. Runs
 * once, after {@link ScatterPushdown}.
 */
final class JoinKeyPushdown extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    return conf().dynamicPartitionPruningEnabled() && conf().exchangeReuseEnabled()
        ? plan.transformDown(new Pushed(conf().autoBroadcastJoinThreshold()))
        : plan;
  }

  /**
   * One side of a join.
   *
   * @param keys what is compared with the keys of the other side, in this order
   */
  private record Side(LogicalPlan plan, List<Expression> keys) {}

  private static final class Pushed extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    private final long most;

    /**
     * @param most bytes of the largest table that is broadcast
     */
    Pushed(long most) {
      this.most = most;
    }

    @Override
    public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof Join;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      Join join = (Join) plan;
      var found = ExtractEquiJoinKeys$.MODULE$.unapply(join);
      if (found.isEmpty()) {
        return plan;
      }
      Side left = new Side(join.left(), ScalaSeqs.list(found.get()._2()));
      Side right = new Side(join.right(), ScalaSeqs.list(found.get()._3()));
      JoinType type = join.joinType();
      boolean isInner = type == Inner$.MODULE$;
      return restricted(left, right, isInner || type == LeftSemi$.MODULE$)
          .map(side -> joined(join, side, join.right()))
          .or(() -> restricted(right, left, isInner).map(side -> joined(join, join.left(), side)))
          .orElse(plan);
    }

    private static LogicalPlan joined(Join join, LogicalPlan left, LogicalPlan right) {
      return join.withNewChildren(ScalaSeqs.of(List.of(left, right)));
    }

    /**
     * Returns a side without the slices that {@code by} does not name; empty if it has none.
     *
     * @param canPrune whether the join drops rows without a match, and can broadcast {@code by}
     */
    private Optional<LogicalPlan> restricted(Side side, Side by, boolean canPrune) {
      return canPrune && hasScatter(side.plan()) && isBroadcast(by.plan())
          ? pruned(side.plan(), side.keys(), by)
          : Optional.empty();
    }

    /** Whether a table is small, and gives the same rows if Spark plans it a second time. */
    private boolean isBroadcast(LogicalPlan table) {
      return table.deterministic()
          && !table.isStreaming()
          && !mayDiffer(table)
          && table.stats().sizeInBytes().$less$eq(scala.math.BigInt.apply(most));
    }
  }

  /** Whether a plan may give other rows on its own than in the join. */
  private static boolean mayDiffer(LogicalPlan plan) {
    boolean isOther =
        plan instanceof GlobalLimit
            || plan instanceof LocalLimit
            || plan instanceof Offset
            || plan instanceof Sample
            || plan instanceof TensorQuery
            // these rules run before such a table is planned as a scan
            || plan instanceof DataSourceV2Relation;
    return isOther || ScalaSeqs.list(plan.children()).stream().anyMatch(JoinKeyPushdown::mayDiffer);
  }

  private static boolean hasScatter(LogicalPlan plan) {
    boolean isPassed = plan instanceof Project || plan instanceof Filter;
    return isPassed && plan.deterministic()
        ? hasScatter(ScalaSeqs.list(plan.children()).get(0))
        : plan instanceof TensorQuery query && query.operation() instanceof ScatterRows;
  }

  /**
   * @param keys of the join, as columns of {@code plan}
   */
  private static Optional<LogicalPlan> pruned(LogicalPlan plan, List<Expression> keys, Side by) {
    if (plan instanceof TensorQuery query) {
      return Optional.of(query).filter(each -> each.keys().isEmpty()).flatMap(q -> at(q, keys, by));
    }
    LogicalPlan child = ScalaSeqs.list(plan.children()).get(0);
    List<Expression> below = plan instanceof Project project ? below(project, keys) : keys;
    return pruned(child, below, by)
        .map(restricted -> plan.withNewChildren(ScalaSeqs.of(List.of(restricted))));
  }

  private static List<Expression> below(Project project, List<Expression> keys) {
    List<NamedExpression> shown = ScalaSeqs.list(project.projectList());
    List<Expression> computed =
        shown.stream()
            .map(each -> each instanceof Alias alias ? alias.child() : (Expression) each)
            .toList();
    ColumnReplacement below = new ColumnReplacement(ScalaSeqs.list(project.output()), computed);
    return keys.stream().map(below::in).toList();
  }

  private static Optional<LogicalPlan> at(TensorQuery query, List<Expression> keys, Side by) {
    List<Attribute> indices = query.columns().subList(0, query.columns().size() - 1);
    List<Expression> filters =
        IntStream.range(0, keys.size())
            .filter(i -> JoinKeys.indexOf(keys.get(i), indices).isPresent())
            .<Expression>mapToObj(i -> filter(keys.get(i), i, by))
            .toList();
    return filters.isEmpty() ? Optional.empty() : Optional.of(query.restrictedBy(filters));
  }

  private static Expression filter(Expression key, int i, Side by) {
    return new DynamicPruningSubquery(
        key,
        by.plan(),
        ScalaSeqs.of(by.keys()),
        ScalaSeqs.of(List.<Object>of(i)),
        true,
        NamedExpression.newExprId(),
        Option.empty());
  }
}

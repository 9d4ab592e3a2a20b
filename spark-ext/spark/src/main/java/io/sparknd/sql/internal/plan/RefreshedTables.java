/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.cluster.internal.spark.SparkNdRuntimeException;
import io.sparknd.tensor.SparkNdException;
import java.util.IdentityHashMap;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreePattern$;
import scala.runtime.AbstractPartialFunction;

/**
 * Lets table functions read stored tables at the version to which Spark has refreshed them: a
 * Dataset that was analyzed before a commit, and runs after it, reads all its tables as of one
 * time. What a query of the version before has cached is used as before.
 */
final class RefreshedTables extends Rule<LogicalPlan> {
  private final SparkSession session;

  RefreshedTables(SparkSession session) {
    this.session = session;
  }

  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!plan.containsPattern(TreePattern$.MODULE$.PLAN_EXPRESSION())) {
      return plan; // no source of a table
    }
    IdentityHashMap<TensorOperation, TensorOperation> newer = new IdentityHashMap<>();
    LogicalPlan analyzed = inEach(plan, query -> withoutSource(query, newer));
    if (newer.isEmpty()) {
      return analyzed;
    }
    LogicalPlan cached =
        ClassicSpark.of(session).sharedState().cacheManager().useCachedData(analyzed);
    return inEach(
        cached,
        query -> {
          TensorOperation operation = newer.get(query.operation());
          return operation == null ? query : query.with(operation);
        });
  }

  private static TensorQuery withoutSource(
      TensorQuery query, IdentityHashMap<TensorOperation, TensorOperation> newer) {
    if (query.source().isEmpty()) {
      return query;
    }
    try {
      TensorOperation refreshed = query.operation().at(query.source().get().table());
      if (!refreshed.equals(query.operation())) {
        newer.put(query.operation(), refreshed);
      }
    } catch (SparkNdException e) {
      throw SparkNdRuntimeException.at(query.origin().context(), e);
    }
    return query.withoutSource();
  }

  private static LogicalPlan inEach(LogicalPlan plan, UnaryOperator<TensorQuery> change) {
    return plan.transformDownWithSubqueries(new Changed(change));
  }

  private static final class Changed extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    private final UnaryOperator<TensorQuery> change;

    Changed(UnaryOperator<TensorQuery> change) {
      this.change = change;
    }

    @Override
    public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof TensorQuery;
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      return change.apply((TensorQuery) plan);
    }
  }
}

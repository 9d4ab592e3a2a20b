/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ClassicSpark;
import io.sparknd.tensor.SparkNdException;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.TreePattern$;
import scala.runtime.AbstractPartialFunction;

/**
 * Lets table functions read stored tables at the version to which Spark has refreshed them: a
 * Dataset that was analyzed before a commit, and runs after it, reads all its tables as of one
 * time. Runs before Spark looks for what is cached, so that nothing of an older version is found.
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
    // settings of the session choose branches, and Spark does not always make it the active one
    return ClassicSpark.of(session)
        .withActive(() -> plan.transformDownWithSubqueries(new Refreshed()));
  }

  private static final class Refreshed extends AbstractPartialFunction<LogicalPlan, LogicalPlan> {
    @Override
    public boolean isDefinedAt(LogicalPlan plan) {
      return plan instanceof TensorQuery query && query.source().isPresent();
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      TensorQuery query = (TensorQuery) plan;
      StoredTableExpression source = query.source().orElseThrow();
      try {
        return query.with(query.operation().at(source.table()));
      } catch (SparkNdException e) {
        return query.with(new FailedOperation(query.operation(), e));
      }
    }
  }
}

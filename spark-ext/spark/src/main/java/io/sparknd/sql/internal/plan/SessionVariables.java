/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FunctionTableSubqueryArgumentExpression;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.VariableReference;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/**
 * Keeps the session variables of a call in its plan. A call reads their values during analysis, but
 * Spark looks for them in the analyzed plan of a view: it refuses persistent views that have any,
 * and a temporary view finds only those that it lists.
 */
final class SessionVariables {
  private SessionVariables() {}

  /**
   * Returns {@code query} below a filter that has the variables of the arguments. It is always
   * true, so the optimizer removes it.
   */
  static LogicalPlan kept(LogicalPlan query, List<Expression> arguments) {
    Expression condition =
        arguments.stream()
            .flatMap(SessionVariables::in)
            .map(variable -> (Expression) new IsNull(variable))
            .reduce(Literal.TrueLiteral(), Or::new);
    return condition instanceof Or ? new Filter(condition, query) : query;
  }

  /** Returns the variables of an argument; those of a table are in its plan. */
  private static Stream<Expression> in(Expression argument) {
    if (argument instanceof FunctionTableSubqueryArgumentExpression) {
      return Stream.empty();
    }
    return argument instanceof VariableReference
        ? Stream.of(argument)
        : ScalaSeqs.<Expression>list(argument.children()).stream().flatMap(SessionVariables::in);
  }
}

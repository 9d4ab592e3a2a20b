/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.AnalysisErrors;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.sql.internal.SqlErrors;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.analysis.UnresolvedAttribute;
import org.apache.spark.sql.catalyst.analysis.UnresolvedTableValuedFunction;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.FunctionTableSubqueryArgumentExpression;
import org.apache.spark.sql.catalyst.expressions.NamedArgumentExpression;
import org.apache.spark.sql.catalyst.plans.logical.LateralJoin;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.catalyst.trees.TreePattern$;
import org.apache.spark.sql.internal.SQLConf;

/**
 * Refuses calls in {@code LATERAL} whose tables depend on the row of the other table, and says what
 * to write instead. Spark does not resolve such columns in the tables of a function, so that it
 * would only say that they are unknown.
 */
final class CorrelatedCallCheck extends Rule<LogicalPlan> {
  private static final Map<String, TableFunction> FUNCTIONS =
      TableFunctions.all().stream()
          .collect(Collectors.toMap(TableFunction::name, Function.identity()));

  /** Returns the plan as it is. */
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (plan.containsPattern(TreePattern$.MODULE$.LATERAL_JOIN())) {
      walk(plan, CorrelatedCallCheck::check);
    }
    return plan;
  }

  private static void walk(LogicalPlan plan, Consumer<LogicalPlan> visit) {
    visit.accept(plan);
    ScalaSeqs.<LogicalPlan>list(plan.children()).forEach(child -> walk(child, visit));
  }

  private static void check(LogicalPlan plan) {
    if (plan instanceof LateralJoin join && join.left().resolved()) {
      walk(join.right().plan(), inside -> check(inside, join.left()));
    }
  }

  private static void check(LogicalPlan plan, LogicalPlan outer) {
    if (plan instanceof UnresolvedTableValuedFunction call && call.name().size() == 1) {
      TableFunction function = FUNCTIONS.get(call.name().head().toLowerCase(Locale.ROOT));
      if (function != null) {
        check(function, call, outer);
      }
    }
  }

  private static void check(
      TableFunction function, UnresolvedTableValuedFunction call, LogicalPlan outer) {
    List<Expression> given = ScalaSeqs.list(call.functionArgs());
    for (int i = 0; i < given.size(); i++) {
      boolean named = given.get(i) instanceof NamedArgumentExpression;
      Expression value = named ? ((NamedArgumentExpression) given.get(i)).value() : given.get(i);
      if (value instanceof FunctionTableSubqueryArgumentExpression table
          && (named || i < function.parameters().size()) // others are too many
          && dependsOn(table.plan(), outer)) {
        String argument =
            named
                ? ((NamedArgumentExpression) given.get(i)).key()
                : function.parameters().get(i).name();
        throw CurrentOrigin.withOrigin(
            call.origin(),
            () -> AnalysisErrors.of(SqlErrors.tableArgumentCorrelated(function.name(), argument)));
      }
    }
  }

  private static boolean dependsOn(LogicalPlan plan, LogicalPlan outer) {
    List<LogicalPlan> children = ScalaSeqs.list(plan.children());
    boolean here =
        plan.childrenResolved()
            && ScalaSeqs.<Expression>list(plan.expressions()).stream()
                .anyMatch(expression -> dependsOn(expression, children, outer));
    return here || children.stream().anyMatch(child -> dependsOn(child, outer));
  }

  private static boolean dependsOn(
      Expression expression, List<LogicalPlan> inner, LogicalPlan outer) {
    if (expression instanceof UnresolvedAttribute column) {
      return inner.stream().noneMatch(plan -> has(plan, column)) && has(outer, column);
    }
    return ScalaSeqs.<Expression>list(expression.children()).stream()
        .anyMatch(child -> dependsOn(child, inner, outer));
  }

  private static boolean has(LogicalPlan plan, UnresolvedAttribute column) {
    return plan.resolve(column.nameParts(), SQLConf.get().resolver()).isDefined();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSet;
import org.apache.spark.sql.catalyst.expressions.IsNotNull;
import org.apache.spark.sql.catalyst.expressions.IsNull;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.Not;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.expressions.OuterReference;
import org.apache.spark.sql.catalyst.expressions.SubqueryExpression;
import org.apache.spark.sql.catalyst.plans.logical.Filter;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;

/** The terms of a condition, all of which must hold. */
final class FilterTerms {
  private FilterTerms() {}

  /** Splits a condition at each {@code AND}; the terms keep their order. */
  static List<Expression> of(Expression condition) {
    List<Expression> terms = new ArrayList<>();
    Deque<Expression> left = new ArrayDeque<>(List.of(condition));
    while (!left.isEmpty()) {
      Expression next = left.pop();
      if (next instanceof And and) {
        left.push(and.right());
        left.push(and.left());
      } else {
        terms.add(next);
      }
    }
    return terms;
  }

  /** Returns the rows of {@code plan} for which all conditions hold. */
  static LogicalPlan filter(List<Expression> conditions, LogicalPlan plan) {
    return conditions.stream()
        .reduce(And::new)
        .<LogicalPlan>map(condition -> new Filter(condition, plan))
        .orElse(plan);
  }

  /** Whether the condition gives the same on every evaluation and runs no query of its own. */
  static boolean canMove(Expression condition) {
    return condition.deterministic()
        && !SubqueryExpression.hasSubquery(condition)
        && !contains(condition, OuterReference.class);
  }

  /** Whether the condition only compares columns with each other and with constants. */
  static boolean cannotFail(Expression condition) {
    boolean compares =
        condition instanceof Attribute
            || condition instanceof Literal
            || condition instanceof BinaryComparison
            || condition instanceof In
            || condition instanceof InSet
            || condition instanceof IsNull
            || condition instanceof IsNotNull
            || condition instanceof Not
            || condition instanceof And
            || condition instanceof Or;
    return compares
        && ScalaSeqs.list(condition.children()).stream().allMatch(FilterTerms::cannotFail);
  }

  static boolean contains(Expression expression, Class<?> kind) {
    return kind.isInstance(expression)
        || ScalaSeqs.list(expression.children()).stream().anyMatch(child -> contains(child, kind));
  }
}

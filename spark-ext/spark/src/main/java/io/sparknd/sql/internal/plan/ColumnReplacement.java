/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.ExprId;
import org.apache.spark.sql.catalyst.expressions.Expression;
import scala.runtime.AbstractPartialFunction;

/** Replaces columns in expressions. */
final class ColumnReplacement {
  private final Map<ExprId, Expression> replacements = new HashMap<>();

  /** Replaces each of {@code columns} by the expression at its place in {@code by}. */
  ColumnReplacement(List<Attribute> columns, List<? extends Expression> by) {
    for (int i = 0; i < columns.size(); i++) {
      replacements.put(columns.get(i).exprId(), by.get(i));
    }
  }

  Expression in(Expression expression) {
    return expression.transformUp(new Replaced());
  }

  private final class Replaced extends AbstractPartialFunction<Expression, Expression> {
    @Override
    public boolean isDefinedAt(Expression expression) {
      return expression instanceof Attribute column && replacements.containsKey(column.exprId());
    }

    @Override
    public Expression apply(Expression expression) {
      return Objects.requireNonNull(replacements.get(((Attribute) expression).exprId()));
    }
  }
}

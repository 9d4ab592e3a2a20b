/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.spark;

import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;

/** Values of constant expressions at analysis, before Spark's optimizer has seen them. */
public final class ConstantValue {
  private ConstantValue() {}

  /**
   * {@code given} as it can be evaluated, if it is a constant; else {@code given}. Spark names a
   * variable that it puts in the place of a column, and calls functions that it replaces later no
   * constants.
   */
  public static Expression plain(Expression given) {
    Expression now = evaluable(given instanceof Alias named ? named.child() : given);
    return now.foldable() ? now : given;
  }

  /** The value in Spark's internal form; null for NULL. */
  public static Object of(Expression constant) {
    return evaluable(constant).eval(null);
  }

  /** {@code constant} with that in the place of functions which the optimizer puts there. */
  private static Expression evaluable(Expression constant) {
    Expression now =
        constant instanceof RuntimeReplaceable function ? function.replacement() : constant;
    List<Expression> children = ScalaSeqs.list(now.children());
    List<Expression> others = children.stream().map(ConstantValue::evaluable).toList();
    return others.equals(children) ? now : (Expression) now.withNewChildren(ScalaSeqs.of(others));
  }
}

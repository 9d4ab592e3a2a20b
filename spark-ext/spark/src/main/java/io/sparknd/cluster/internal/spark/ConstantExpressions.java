/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.spark;

import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EvalMode;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.RuntimeReplaceable;
import org.apache.spark.sql.catalyst.trees.TreePattern$;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.unsafe.types.UTF8String;
import org.jspecify.annotations.Nullable;
import scala.Option;

/** Evaluates constant expressions at analysis, before Spark's optimizer runs. */
public final class ConstantExpressions {
  private ConstantExpressions() {}

  /**
   * Returns {@code given} in a form that can be evaluated if it is a constant, else {@code given}.
   * Spark wraps a variable that replaces a column in an alias, and does not report functions that
   * it replaces later as constant.
   */
  public static Expression plain(Expression given) {
    Expression now = evaluable(given instanceof Alias named ? named.child() : given);
    return now.foldable() ? now : given;
  }

  /** Returns the value in Spark's internal form; null for NULL. */
  public static Object of(Expression constant) {
    return evaluable(constant).eval(null);
  }

  /** Returns {@code constant} with functions replaced as the optimizer replaces them. */
  private static Expression evaluable(Expression constant) {
    Expression now =
        constant instanceof RuntimeReplaceable function ? function.replacement() : constant;
    List<Expression> children = ScalaSeqs.list(now.children());
    List<Expression> others = children.stream().map(ConstantExpressions::evaluable).toList();
    return others.equals(children) ? now : now.withNewChildren(ScalaSeqs.of(others));
  }

  /**
   * Returns whether a query calls a function of the time or the session, such as {@code
   * current_timestamp()} or {@code current_user()}.
   */
  public static boolean dependsOnSession(Dataset<Row> query) {
    return ClassicSpark.of(query)
        .queryExecution()
        .analyzed()
        .containsPattern(TreePattern$.MODULE$.CURRENT_LIKE());
  }

  /**
   * Casts text to a type, by the rules and the time zone of the active session.
   *
   * @return the value in Spark's internal form; null if the text is not a value of the type
   */
  public static @Nullable Object cast(String text, DataType type) {
    return new Cast(
            new Literal(UTF8String.fromString(text), DataTypes.StringType),
            type,
            Option.apply(SQLConf.get().sessionLocalTimeZone()),
            EvalMode.TRY())
        .eval(null);
  }
}

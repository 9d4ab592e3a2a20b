/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;

/** Builds expressions that call function objects. */
final class InvokeExpressions {
  private InvokeExpressions() {}

  /**
   * Returns a call of the method {@code apply} of {@code function}. The result is null if and only
   * if an argument is null.
   *
   * @param type of the result, in Spark's internal form
   */
  static Expression of(Object function, DataType type, List<Expression> arguments) {
    return of(function, type, arguments, false);
  }

  /** As {@link #of}, but {@code function} may return null. */
  static Expression ofNullable(Object function, DataType type, List<Expression> arguments) {
    return of(function, type, arguments, true);
  }

  private static Expression of(
      Object function, DataType type, List<Expression> arguments, boolean mayReturnNull) {
    return new Invoke(
        Literal.create(function, new ObjectType(function.getClass())),
        "apply",
        type,
        ScalaSeqs.of(arguments),
        ScalaSeqs.of(List.<AbstractDataType>of()),
        true,
        mayReturnNull,
        true);
  }
}

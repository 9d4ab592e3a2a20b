/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.spark.ScalaSeqs;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.Literal;
import org.apache.spark.sql.catalyst.expressions.objects.Invoke;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.ObjectType;

/** Calls of function objects as expressions. */
final class InvokeExpressions {
  private InvokeExpressions() {}

  /**
   * The method {@code apply} of {@code function}; null where an argument is null, and only there.
   *
   * @param type of what it returns, in Spark's internal form
   */
  static Expression of(Object function, DataType type, List<Expression> arguments) {
    return new Invoke(
        Literal.create(function, new ObjectType(function.getClass())),
        "apply",
        type,
        ScalaSeqs.of(arguments),
        ScalaSeqs.of(List.<AbstractDataType>of()),
        true,
        false,
        true);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import java.util.List;
import org.apache.spark.sql.catalyst.analysis.AnsiTypeCoercion;
import org.apache.spark.sql.catalyst.analysis.TypeCoercion;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.FractionalType;
import org.apache.spark.sql.types.IntegralType;
import org.apache.spark.sql.types.NullType;
import scala.Option;

/**
 * Casts the elements of an argument to the type that a function computes in. Spark's implicit casts
 * drop the fraction of a number without an error, and, without {@code spark.sql.ansi.enabled}, the
 * high bits of an integer; a sum would be wrong unnoticed.
 */
final class ElementCasts {
  private ElementCasts() {}

  /**
   * Whether elements are cast implicitly: if Spark does so, and the type has the fractions of all
   * elements.
   */
  static boolean isImplicit(DataType from, DataType to) {
    if (from instanceof NullType) {
      return true;
    }
    Expression element = new BoundReference(0, from, true);
    Option<Expression> cast =
        SQLConf.get().ansiEnabled()
            ? AnsiTypeCoercion.implicitCast(element, to)
            : TypeCoercion.implicitCast(element, to);
    return cast.isDefined() && keepsFractions(from, to);
  }

  private static boolean keepsFractions(DataType from, DataType to) {
    if (to instanceof DecimalType) {
      return Cast.canUpCast(from, to);
    }
    return !(to instanceof IntegralType && from instanceof FractionalType);
  }

  /**
   * Returns the cast of a tensor with elements of another type. It fails for an element that {@code
   * dtype} does not hold, in every session. Fractions are rounded to floats.
   *
   * @param argument for messages
   * @param to the tensor type of the result
   */
  static Expression of(String argument, Expression tensor, DataType to, DType dtype) {
    DataType type = tensor.dataType();
    return ExactFloatsFunction.isNeeded(type, dtype)
        ? of(
            new RowCall(
                new ExactFloatsFunction(argument, type, dtype), UdfArguments.seq(List.of(tensor))),
            to)
        : of(tensor, to);
  }

  /** Returns the cast, which fails if Spark's does with {@code spark.sql.ansi.enabled}. */
  static Expression of(Expression expression, DataType to) {
    return Cast$.MODULE$.apply(
        expression, to, Option.apply(SQLConf.get().sessionLocalTimeZone()), true);
  }
}

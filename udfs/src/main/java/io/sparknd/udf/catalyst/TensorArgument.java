/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.catalyst.TensorType.Nested;
import java.util.Optional;
import org.apache.spark.sql.catalyst.analysis.AnsiTypeCoercion;
import org.apache.spark.sql.catalyst.analysis.TypeCoercion;
import org.apache.spark.sql.catalyst.expressions.BoundReference;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import scala.Option;

/**
 * An argument whose values are tensors.
 *
 * @param name for messages
 */
record TensorArgument(String name, Expression expression, TensorType type) {

  /**
   * Returns the argument.
   *
   * @param ifVoid the element dtype of an array whose element type is void; null for none
   * @throws io.sparknd.tensor.SparkNdException if the argument's type is not a tensor type
   */
  static TensorArgument of(String name, Expression expression, DType ifVoid) {
    DataType found = expression.dataType();
    TensorType type =
        TensorType.of(found, ifVoid)
            .orElseThrow(
                () ->
                    isDecimal(found)
                        ? UdfErrors.decimalTooLong(name, found.simpleString())
                        : UdfErrors.notATensor(name, found.simpleString()));
    boolean inForm = type instanceof Nested || found.asNullable().equals(type.sql().asNullable());
    return new TensorArgument(name, inForm ? expression : cast(expression, type), type);
  }

  private static boolean isDecimal(DataType type) {
    return type instanceof DecimalType
        || type instanceof ArrayType array && isDecimal(array.elementType());
  }

  private static Expression cast(Expression expression, TensorType type) {
    return Cast$.MODULE$.apply(
        expression,
        type.sql().asNullable(),
        Option.apply(SQLConf.get().sessionLocalTimeZone()),
        SQLConf.get().ansiEnabled());
  }

  boolean isNested() {
    return type instanceof Nested;
  }

  /** Returns the rank given by the type. */
  int rank() {
    return ((Nested) type).rank();
  }

  String typeName() {
    return expression.dataType().simpleString();
  }

  /**
   * Returns this argument with elements of {@code wanted}, cast if Spark allows that implicitly.
   *
   * @param target the argument with these elements, for the message
   * @throws io.sparknd.tensor.SparkNdException if Spark does not allow it
   */
  TensorArgument as(ElementType wanted, String target) {
    if (type.element().equals(wanted)) {
      return this;
    }
    DataType needed = wanted.sql();
    Expression element = new BoundReference(0, type.element().sql(), true);
    Option<Expression> cast =
        SQLConf.get().ansiEnabled()
            ? AnsiTypeCoercion.implicitCast(element, needed)
            : TypeCoercion.implicitCast(element, needed);
    if (cast.isEmpty() || wanted.isDecimal() && !Cast.canUpCast(element.dataType(), needed)) {
      throw UdfErrors.cannotCast(name, typeName(), target, needed.simpleString());
    }
    TensorType other = type.of(wanted);
    return new TensorArgument(name, cast(expression, other), other);
  }

  TensorReader reader() {
    return TensorReader.of(name, type);
  }

  TensorReader indexReader() {
    return TensorReader.ofIndices(name, type);
  }

  /**
   * Returns the shape, if the statement determines it and it has elements.
   *
   * @throws io.sparknd.tensor.SparkNdException if it is a constant but not a tensor
   */
  Optional<Shape> shape() {
    return StaticShapes.of(expression, reader()).filter(shape -> shape.elements() > 0);
  }
}

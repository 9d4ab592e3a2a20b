/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.catalyst.TensorType.Nested;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DecimalType;
import org.apache.spark.sql.types.NullType;

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
    return ElementCasts.of(expression, type.sql().asNullable());
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
   * Returns this argument with elements of {@code wanted}, cast if that is implicit.
   *
   * @param target the argument with these elements, for the message
   * @throws io.sparknd.tensor.SparkNdException if it is not, see {@link ElementCasts#isImplicit}
   */
  TensorArgument as(ElementType wanted, String target) {
    if (type.element().equals(wanted)) {
      return this;
    }
    if (!isVoid(expression.dataType())
        && !ElementCasts.isImplicit(type.element().sql(), wanted.sql())) {
      throw UdfErrors.cannotCast(name, typeName(), target, wanted.sql().simpleString());
    }
    TensorType other = type.of(wanted);
    DataType sql = other.sql().asNullable();
    Expression cast = ElementCasts.of(name, expression, sql, wanted.dtype());
    return new TensorArgument(name, cast, other);
  }

  /** Whether an array has elements of no type, because it is written as {@code array()}. */
  private static boolean isVoid(DataType type) {
    return type instanceof NullType
        || type instanceof ArrayType array && isVoid(array.elementType());
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.cluster.internal.spark.ConstantExpressions;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import java.util.Optional;
import java.util.OptionalInt;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/** Derives shapes from a statement before it runs, from its constants and {@code array(...)}. */
final class StaticShapes {
  private StaticShapes() {}

  /**
   * Returns the shape of every value of {@code expression}, if it is known.
   *
   * @throws SparkNdException if it is a constant but not a tensor
   */
  static Optional<Shape> of(Expression expression, TensorReader reader) {
    if (expression.foldable()) {
      return constant(expression).map(value -> reader.read(value).shape());
    }
    return constructed(expression);
  }

  /** Returns the value of a constant; empty if it is null or cannot be computed. */
  static Optional<Object> constant(Expression expression) {
    try {
      return Optional.ofNullable(ConstantExpressions.of(expression));
    } catch (SparkNdException e) {
      throw e;
    } catch (RuntimeException e) {
      // Spark reports the error when it folds constants or runs the statement
      return Optional.empty();
    }
  }

  /** Whether a constant can be computed and is NULL. */
  static boolean isNull(Expression expression) {
    try {
      return ConstantExpressions.of(expression) == null;
    } catch (RuntimeException e) {
      // reported where the value is needed
      return false;
    }
  }

  private static Optional<Shape> constructed(Expression expression) {
    DataType type = expression.dataType();
    if (type instanceof ArrayType && bare(expression) instanceof CreateArray array) {
      if (array.children().isEmpty()) {
        return Optional.empty();
      }
      Shape length = Shape.of(array.children().size());
      return constructed(array.children().head()).map(length::concat);
    }
    boolean open = type instanceof ArrayType || type instanceof StructType;
    return open ? Optional.empty() : Optional.of(Shape.of());
  }

  /** Returns the length of the innermost arrays, if it is known. */
  static OptionalInt innermost(Expression expression, TensorReader reader) {
    if (expression.foldable()) {
      return constant(expression)
          .map(value -> reader.read(value).shape())
          .filter(shape -> shape.rank() > 0 && shape.first(shape.rank() - 1).elements() > 0)
          .map(shape -> OptionalInt.of((int) shape.dim(shape.rank() - 1)))
          .orElse(OptionalInt.empty());
    }
    if (!(bare(expression) instanceof CreateArray array) || array.children().isEmpty()) {
      return OptionalInt.empty();
    }
    return innermost(array);
  }

  private static OptionalInt innermost(CreateArray array) {
    Expression first = array.children().head();
    if (!(first.dataType() instanceof ArrayType type)) {
      return OptionalInt.of(array.children().size());
    }
    if (first.foldable()) {
      return constant(first).map(value -> innermost(value, type)).orElse(OptionalInt.empty());
    }
    return bare(first) instanceof CreateArray inner && !inner.children().isEmpty()
        ? innermost(inner)
        : OptionalInt.empty();
  }

  /** Returns the length of the innermost arrays of a constant; empty if there are none. */
  private static OptionalInt innermost(Object value, ArrayType type) {
    ArrayData array = (ArrayData) value;
    if (array.numElements() == 0) {
      return OptionalInt.empty();
    }
    if (!(type.elementType() instanceof ArrayType inner)) {
      return OptionalInt.of(array.numElements());
    }
    return array.isNullAt(0) ? OptionalInt.empty() : innermost(array.getArray(0), inner);
  }

  private static Expression bare(Expression expression) {
    if (expression instanceof Cast cast) {
      return bare(cast.child());
    }
    boolean isImplicit = expression instanceof RowCall call && call.function().isImplicit();
    return isImplicit ? bare(expression.children().head()) : expression;
  }
}

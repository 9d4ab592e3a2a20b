/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.ColumnVector;
import com.nvidia.spark.RapidsUDF;
import io.sparknd.udf.catalyst.RowFunction;
import java.io.Serializable;
import java.util.Arrays;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.AbstractFunction3;

/**
 * A scalar function for the RAPIDS Accelerator. If the Accelerator runs the query, it is evaluated
 * on columns, otherwise row by row. Spark requires one class per arity.
 */
sealed interface GpuFunction extends RapidsUDF, Serializable {
  RowFunction function();

  static GpuFunction of(RowFunction function) {
    return switch (function.arity()) {
      case 1 -> new Unary(function);
      case 2 -> new Binary(function);
      default -> new Ternary(function);
    };
  }

  @Override
  default ColumnVector evaluateColumnar(int rows, ColumnVector... arguments) {
    return Columns.evaluate(function(), rows, arguments);
  }

  /** Returns NULL if an argument is NULL. */
  private static Object row(RowFunction function, Object... arguments) {
    return Arrays.asList(arguments).contains(null) ? null : function.call(arguments);
  }

  /** A function of one argument. */
  final class Unary extends AbstractFunction1<Object, Object> implements GpuFunction {
    private static final long serialVersionUID = 1;

    private final RowFunction function;

    private Unary(RowFunction function) {
      this.function = function;
    }

    @Override
    public RowFunction function() {
      return function;
    }

    @Override
    public Object apply(Object first) {
      return row(function, first);
    }
  }

  /** A function of two arguments. */
  final class Binary extends AbstractFunction2<Object, Object, Object> implements GpuFunction {
    private static final long serialVersionUID = 1;

    private final RowFunction function;

    private Binary(RowFunction function) {
      this.function = function;
    }

    @Override
    public RowFunction function() {
      return function;
    }

    @Override
    public Object apply(Object first, Object second) {
      return row(function, first, second);
    }
  }

  /** A function of three arguments. */
  final class Ternary extends AbstractFunction3<Object, Object, Object, Object>
      implements GpuFunction {
    private static final long serialVersionUID = 1;

    private final RowFunction function;

    private Ternary(RowFunction function) {
      this.function = function;
    }

    @Override
    public RowFunction function() {
      return function;
    }

    @Override
    public Object apply(Object first, Object second, Object third) {
      return row(function, first, second, third);
    }
  }
}

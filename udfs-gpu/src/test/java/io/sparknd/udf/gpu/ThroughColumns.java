/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import static org.assertj.core.api.Assertions.assertThat;

import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.ColumnBuilder;
import io.sparknd.udf.catalyst.RowFunction;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.SparkSessionExtensionsProvider;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ScalaUDF;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.catalyst.util.GenericArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import scala.jdk.javaapi.CollectionConverters;
import scala.runtime.AbstractFunction1;
import scala.runtime.AbstractFunction2;
import scala.runtime.AbstractFunction3;
import scala.runtime.AbstractPartialFunction;
import scala.runtime.BoxedUnit;

/**
 * If {@code sparknd.test.columns} is true, every call of a query runs on cuDF columns in host
 * memory. A column holds the row twice with a NULL row in between.
 */
public final class ThroughColumns implements SparkSessionExtensionsProvider {
  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    if (Boolean.getBoolean("sparknd.test.columns")) {
      extensions.injectPreCBORule(
          new AbstractFunction1<>() {
            @Override
            public Rule<LogicalPlan> apply(SparkSession session) {
              return new Calls(session);
            }
          });
    }
    return BoxedUnit.UNIT;
  }

  private static final class Calls extends Rule<LogicalPlan> {
    private final CallsForRapids before;

    Calls(SparkSession session) {
      this.before = new CallsForRapids(session);
    }

    @Override
    public LogicalPlan apply(LogicalPlan plan) {
      return before
          .apply(plan)
          .transformAllExpressions(
              new AbstractPartialFunction<Expression, Expression>() {
                @Override
                public boolean isDefinedAt(Expression expression) {
                  return expression instanceof ScalaUDF udf
                      && udf.function() instanceof GpuFunction;
                }

                @Override
                public Expression apply(Expression expression) {
                  return throughColumns((ScalaUDF) expression);
                }
              });
    }
  }

  private static ScalaUDF throughColumns(ScalaUDF udf) {
    List<DataType> types =
        CollectionConverters.asJava(udf.children()).stream().map(Expression::dataType).toList();
    Call call = new Call(((GpuFunction) udf.function()).function(), new ArrayList<>(types));
    return new ScalaUDF(
        call.ofArity(),
        udf.dataType(),
        udf.children(),
        udf.inputEncoders(),
        udf.outputEncoder(),
        udf.udfName(),
        udf.nullable(),
        true);
  }

  private record Call(RowFunction function, ArrayList<DataType> types) implements Serializable {
    Object on(Object... row) {
      if (Arrays.asList(row).contains(null)) {
        return null;
      }
      List<HostColumnVector> columns = new ArrayList<>();
      for (int i = 0; i < row.length; i++) {
        columns.add(column(types.get(i), row[i]));
      }
      try (HostColumnVector result = HostRows.evaluate(function, 3, columns)) {
        return value(HostColumn.of(result));
      } finally {
        columns.forEach(HostColumnVector::close);
      }
    }

    private static HostColumnVector column(DataType type, Object value) {
      try (ColumnBuilder builder = new ColumnBuilder(CudfTypes.of(type), 3)) {
        ColumnAppender appender = new ColumnAppender(builder, type, 3, Integer.MAX_VALUE);
        appender.append(value);
        appender.appendNull();
        appender.append(value);
        return builder.build();
      }
    }

    private Object value(HostColumn result) {
      assertThat(result.isNullAt(1)).isTrue();
      Object value = copy(result.value(0), function.dataType());
      assertThat(copy(result.value(2), function.dataType())).isEqualTo(value);
      return value;
    }

    /** Copies a value, because the memory of its column is freed. */
    private static Object copy(Object value, DataType type) {
      if (!(type instanceof ArrayType array)) {
        return value;
      }
      ArrayData values = (ArrayData) value;
      Object[] copies = new Object[values.numElements()];
      for (int i = 0; i < copies.length; i++) {
        copies[i] = copy(values.get(i, array.elementType()), array.elementType());
      }
      return new GenericArrayData(copies);
    }

    Object ofArity() {
      return switch (types.size()) {
        case 1 -> new Unary(this);
        case 2 -> new Binary(this);
        default -> new Ternary(this);
      };
    }
  }

  private static final class Unary extends AbstractFunction1<Object, Object>
      implements Serializable {
    private final Call call;

    Unary(Call call) {
      this.call = call;
    }

    @Override
    public Object apply(Object first) {
      return call.on(first);
    }
  }

  private static final class Binary extends AbstractFunction2<Object, Object, Object>
      implements Serializable {
    private final Call call;

    Binary(Call call) {
      this.call = call;
    }

    @Override
    public Object apply(Object first, Object second) {
      return call.on(first, second);
    }
  }

  private static final class Ternary extends AbstractFunction3<Object, Object, Object, Object>
      implements Serializable {
    private final Call call;

    Ternary(Call call) {
      this.call = call;
    }

    @Override
    public Object apply(Object first, Object second, Object third) {
      return call.on(first, second, third);
    }
  }
}

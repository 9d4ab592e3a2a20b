/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Shape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.types.DataTypes;
import scala.Option;

/**
 * Represents decimals as int64.
 *
 * @param shape the shape of the tensor of decimals
 */
record DecimalEncoding(DecimalUnits units, Shape shape) implements ValueEncoding {
  @Override
  public TableArgument encoded(TableArgument table, SliceOrdinals columns) {
    return DecimalColumn.of(table, columns, units.type(), shape).in(units);
  }

  @Override
  public TensorOptions options(TensorOptions options) {
    return options.withShape(units.shape(shape));
  }

  @Override
  public Gather encoded(Gather how) {
    if (!(how.indices().bad() instanceof BadIndices.Fill fill)) {
      return how;
    }
    long[] values = number(fill.value()).map(units::values).orElse(null);
    if (values == null || LongStream.of(values).anyMatch(limb -> limb != values[0])) {
      throw SqlErrors.decimalFill(String.valueOf(fill.value()), units.type().sql());
    }
    return how.withBadIndices(BadIndices.fill(values[0]));
  }

  private static Optional<BigDecimal> number(Object value) {
    try {
      return value instanceof Number
          ? Optional.of(new BigDecimal(value.toString()))
          : Optional.empty();
    } catch (NumberFormatException notFinite) {
      return Optional.empty();
    }
  }

  @Override
  public LogicalPlan decoded(LogicalPlan query, List<Integer> indices) {
    int levels = shape.rank() - indices.size();
    List<Attribute> columns = ScalaSeqs.list(query.output());
    Attribute value = columns.get(columns.size() - 1);
    List<Expression> index = new ArrayList<>();
    for (int ordinal : indices) {
      index.add(
          Cast$.MODULE$.apply(columns.get(ordinal), DataTypes.LongType, Option.empty(), true));
    }
    Expression decimals =
        InvokeExpressions.of(
            new DecimalSliceDecoder(value.name(), units, levels, CurrentOrigin.get().context()),
            DecimalColumn.nested(units.type(), levels, false),
            List.of(value, new CreateArray(ScalaSeqs.of(index))));
    List<NamedExpression> shown = new ArrayList<>(columns);
    shown.set(columns.size() - 1, TensorQuery.alias(decimals, value.name()));
    return TensorQuery.project(shown, query);
  }
}

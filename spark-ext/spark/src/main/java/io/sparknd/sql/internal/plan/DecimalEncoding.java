/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.Reduction;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.DType;
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
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.types.DataTypes;
import org.jspecify.annotations.Nullable;
import scala.Option;

/**
 * Represents decimals as int64.
 *
 * @param shape the shape of the tensor of decimals
 */
record DecimalEncoding(DecimalUnits units, Shape shape) implements ValueEncoding {
  @Override
  public TableArgument encodedTensor(TableArgument table, SliceOrdinals columns) {
    return encodedUpdates(table, columns);
  }

  @Override
  public TableArgument encodedUpdates(TableArgument table, SliceOrdinals columns) {
    EncodedColumn column = EncodedColumn.of(table, columns, units.type(), shape);
    int inner = units.count() == 1 || column.flat() ? 0 : 1;
    return column.replacedBy(
        InvokeExpressions.of(
            new DecimalSliceEncoder(units, column.levels(), column.flat()),
            EncodedColumn.nested(DataTypes.LongType, column.levels() + inner, true),
            List.of(column.cast())));
  }

  @Override
  public String elements(DType dtype) {
    return dtype.toString();
  }

  @Override
  public @Nullable Object missing() {
    return null;
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

  @Override
  public void requireExact(Reduction reduction, long updates) {
    boolean adds = reduction == Reduction.ADD || reduction == Reduction.SUB;
    if (adds && updates > units.mostAdded()) {
      throw SqlErrors.tooManyDecimals(
          updates, units.type().sql(), units.mostAdded(), units.scale());
    }
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
            EncodedColumn.nested(units.type(), levels, false),
            List.of(value, new CreateArray(ScalaSeqs.of(index))));
    return EncodedColumn.lastReplaced(query, decimals);
  }
}

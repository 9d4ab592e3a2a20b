/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.op.NegativeIndices;
import io.sparknd.op.OperatorErrors;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.udf.UdfErrors;
import io.sparknd.udf.catalyst.TensorType.Nested;
import io.sparknd.udf.catalyst.TensorType.Shaped;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.Decimal;
import org.apache.spark.sql.types.IntegralType;

/** Binds {@code scatter_nd_agg} to the types of its arguments. */
final class AggregateBinding {
  private static final List<Reduction> REDUCTIONS =
      List.of(
          Reduction.NONE,
          Reduction.ADD,
          Reduction.MUL,
          Reduction.MIN,
          Reduction.MAX,
          Reduction.FMIN,
          Reduction.FMAX,
          Reduction.MEAN);

  private AggregateBinding() {}

  static Expression bind(UdfArguments in) {
    TensorArgument value = in.tensor("value");
    DType dtype = value.type().dtype();
    Reduction reduction = in.reduction();
    if (!REDUCTIONS.contains(reduction)) {
      throw OperatorErrors.notOffered(
          "scatter_nd_agg",
          "reduction '" + reduction + "'",
          String.join(", ", REDUCTIONS.stream().map(Reduction::toString).toList()));
    }
    ScatterCall.check(Scatter.of(reduction), dtype);
    checkDecimals(value.type().element(), reduction);
    Shape shape = shape(in);
    TensorArgument index = in.indices("index");
    int depth = depth(value, index, shape);
    boolean ordered = !in.isUnset("order_by");
    TensorType type =
        value.isNested()
            ? new Nested(value.type().element(), shape.rank())
            : new Shaped(value.type().element());
    TensorWriter writer = new TensorWriter(type);
    writer.checkSize(shape);
    GroupScatter scatter =
        new GroupScatter(dtype, shape, depth, reduction, in.policy(NegativeIndices.ERROR), ordered);
    TensorAggregate.Parts parts =
        new TensorAggregate.Parts(index.indexReader(), value.reader(), scatter, writer);
    if (ordered) {
      checkOrder(in);
    }
    return new TensorAggregate(parts, in.children(index, value));
  }

  /**
   * Rejects sums of long decimals: a group may have any number of rows, so only short decimals are
   * sure not to overflow.
   */
  private static void checkDecimals(ElementType element, Reduction reduction) {
    element.checkReduction(reduction);
    boolean isSum = reduction == Reduction.ADD;
    if (element.isDecimal() && isSum && element.decimal().precision() > Decimal.MAX_INT_DIGITS()) {
      throw UdfErrors.decimalsNotAggregated(
          element.decimal().sql(), Math.min(element.decimal().scale(), Decimal.MAX_INT_DIGITS()));
    }
  }

  private static Shape shape(UdfArguments in) {
    TensorArgument shape = in.vector("shape");
    if (!shape.expression().foldable()) {
      throw UdfErrors.notConstant("shape", shape.expression().sql());
    }
    return StaticShapes.constant(shape.expression())
        .map(value -> Shape.of(shape.indexReader().longs(value)))
        .orElseThrow(() -> UdfErrors.notConstant("shape", shape.expression().sql()));
  }

  private static int depth(TensorArgument value, TensorArgument index, Shape shape) {
    if (!index.isNested() || index.rank() > 1) {
      throw UdfErrors.aggregateIndexType(index.typeName(), 0, shape.rank());
    }
    int depth = value.isNested() ? shape.rank() - value.rank() : length(index);
    if (depth < 0 || depth > shape.rank()) {
      throw UdfErrors.valueRank(value.typeName(), shape);
    }
    return depth;
  }

  /** Returns the number of values in the index; a single value may be written without an array. */
  private static int length(TensorArgument index) {
    return index.rank() == 0
        ? 1
        : StaticShapes.innermost(index.expression(), index.indexReader())
            .orElseThrow(() -> UdfErrors.unknownRank("index", "scatter_nd_agg"));
  }

  private static void checkOrder(UdfArguments in) {
    DataType type = in.value("order_by").dataType();
    boolean counts =
        type instanceof IntegralType
            || type.equals(DataTypes.DateType)
            || type.equals(DataTypes.TimestampType)
            || type.equals(DataTypes.TimestampNTZType);
    if (!counts) {
      throw UdfErrors.orderType(type.simpleString());
    }
  }
}

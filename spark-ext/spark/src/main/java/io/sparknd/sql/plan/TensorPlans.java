/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.spark.ScalaSeqs;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.Reduction;
import io.sparknd.op.Scatter;
import io.sparknd.sql.SqlErrors;
import io.sparknd.tensor.Shape;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.CreateArray;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.trees.CurrentOrigin;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import scala.Option;

/**
 * Builds the logical plans of table function calls. For decimal values, the function works on int64
 * between two projections.
 */
public final class TensorPlans {
  private TensorPlans() {}

  /**
   * Returns the plan of {@code gather_nd}.
   *
   * @param batchDims number of leading index columns that are batch coordinates
   * @throws io.sparknd.tensor.SparkNdException if tables and options are inconsistent
   */
  public static LogicalPlan gather(
      TableArgument params,
      TableArgument indices,
      TensorOptions options,
      Gather how,
      int batchDims) {
    Optional<TensorRelation> kept = TensorRelations.of(params);
    if (kept.isPresent()) {
      TensorNames tensor = TensorNames.of(params, kept.get());
      RelationGatherRows rows =
          RelationGatherRows.of(kept.get(), tensor, indices, options, how, batchDims);
      return TensorQuery.of(rows, List.of(indices));
    }
    SliceTable columns = ColumnsByName.ofParams(params, options);
    Optional<DecimalType> decimal = DecimalColumn.type(params, columns, options);
    if (decimal.isEmpty()) {
      GatherRows rows = GatherRows.of(params, indices, options, how, batchDims);
      return TensorQuery.of(rows, List.of(params, indices));
    }
    Shape shape = SliceTable.shape(params, options);
    DecimalUnits units = DecimalUnits.whole(decimal.get());
    TableArgument in = DecimalColumn.of(params, columns, decimal.get(), shape).in(units);
    GatherRows rows =
        GatherRows.of(
            in, indices, options.withShape(units.shape(shape)), filled(how, units), batchDims);
    LogicalPlan query = TensorQuery.of(rows, List.of(in, indices));
    return out(query, rows.indices(), units, shape.rank() - rows.indices().size());
  }

  /** Converts the fill value to the tensor's int64 encoding. */
  private static Gather filled(Gather how, DecimalUnits units) {
    if (!(how.indices().bad() instanceof BadIndices.Fill fill)) {
      return how;
    }
    long[] values = number(fill.value()).map(units::values).orElse(null);
    if (values == null || LongStream.of(values).skip(1).anyMatch(digit -> digit != 0)) {
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

  /**
   * Returns the plan of {@code tensor_scatter_nd_*}.
   *
   * @throws io.sparknd.tensor.SparkNdException if tables and options are inconsistent
   */
  public static LogicalPlan scatter(
      TableArgument tensor, TableArgument updates, TensorOptions options, Scatter how) {
    Optional<TensorRelation> kept = TensorRelations.of(tensor);
    if (kept.isPresent()) {
      TensorNames names = TensorNames.of(tensor, kept.get());
      RelationScatterRows rows = RelationScatterRows.of(kept.get(), names, updates, options, how);
      return TensorQuery.of(rows, List.of(updates));
    }
    SliceTable columns = ColumnsByName.ofTensor(tensor, options);
    Optional<DecimalType> decimal = DecimalColumn.type(tensor, columns, options);
    if (decimal.isEmpty()) {
      ScatterRows rows = ScatterRows.into(tensor, updates, options, how);
      return TensorQuery.of(rows, List.of(tensor, updates));
    }
    Shape whole = SliceTable.shape(tensor, options);
    int depth = columns.indices().size();
    Shape shape = columns.isFlat(tensor, whole) ? ScatterRows.flat(whole, depth) : whole;
    DecimalUnits units = units(how.reduction(), decimal.get());
    SliceTable changed = ColumnsByName.ofUpdates(updates, options, TensorNames.of(tensor, columns));
    TableArgument into = DecimalColumn.of(tensor, columns, decimal.get(), shape).in(units);
    TableArgument changes = DecimalColumn.of(updates, changed, decimal.get(), shape).in(units);
    ScatterRows rows = ScatterRows.into(into, changes, options.withShape(units.shape(shape)), how);
    LogicalPlan query = TensorQuery.of(rows, List.of(into, changes));
    return out(query, first(depth), units, shape.rank() - depth);
  }

  /**
   * Returns the plan of {@code scatter_nd}.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table and options are inconsistent
   */
  public static LogicalPlan scatterIntoZeros(
      TableArgument updates, TensorOptions options, Scatter how) {
    SliceTable columns = SliceTable.of(updates, options);
    Optional<DecimalType> decimal = DecimalColumn.type(updates, columns, options);
    if (decimal.isEmpty()) {
      return TensorQuery.of(ScatterRows.intoZeros(updates, options, how), List.of(updates));
    }
    Shape shape = SliceTable.shape(updates, options);
    DecimalUnits units = units(how.reduction(), decimal.get());
    TableArgument changes = DecimalColumn.of(updates, columns, decimal.get(), shape).in(units);
    ScatterRows rows = ScatterRows.intoZeros(changes, options.withShape(units.shape(shape)), how);
    int depth = columns.indices().size();
    return out(TensorQuery.of(rows, List.of(changes)), first(depth), units, shape.rank() - depth);
  }

  private static DecimalUnits units(Reduction reduction, DecimalType type) {
    DecimalUnits whole = DecimalUnits.whole(type);
    return switch (reduction) {
      case NONE -> whole;
      case ADD, SUB -> DecimalUnits.summed(type);
      case MIN, MAX, FMIN, FMAX -> {
        if (whole.count() > 1) {
          throw SqlErrors.decimalsNotCompared(reduction.toString(), type.sql(), type.scale());
        }
        yield whole;
      }
      case MUL, DIV, MEAN -> throw SqlErrors.decimalReduction(reduction.toString(), type.sql());
    };
  }

  private static List<Integer> first(int depth) {
    return IntStream.range(0, depth).boxed().toList();
  }

  /** Converts the slices in the last column of {@code query} to decimals. */
  private static LogicalPlan out(
      LogicalPlan query, List<Integer> indices, DecimalUnits units, int levels) {
    List<Attribute> columns = ScalaSeqs.list(query.output());
    Attribute value = columns.get(columns.size() - 1);
    List<Expression> index = new ArrayList<>();
    for (int ordinal : indices) {
      index.add(
          Cast$.MODULE$.apply(columns.get(ordinal), DataTypes.LongType, Option.empty(), true));
    }
    Expression decimals =
        InvokeExpressions.of(
            new DecimalsOut(value.name(), units, levels, CurrentOrigin.get().context()),
            DecimalColumn.nested(units.type(), levels, false),
            List.of(value, new CreateArray(ScalaSeqs.of(index))));
    List<NamedExpression> shown = new ArrayList<>(columns);
    shown.set(columns.size() - 1, TensorQuery.alias(decimals, value.name()));
    return TensorQuery.project(shown, query);
  }
}

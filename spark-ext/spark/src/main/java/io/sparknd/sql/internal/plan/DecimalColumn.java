/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.op.Indexing;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType;
import scala.Option;

/**
 * A decimal value column that is converted to int64 for the tensor, because there is no decimal
 * dtype.
 *
 * @param ordinal of the column in {@code table}
 * @param type decimal type of the elements
 * @param flat whether a multidimensional slice is stored as one flat array
 */
record DecimalColumn(TableArgument table, int ordinal, DecimalType type, boolean flat) {
  /** The SQL type of uint64. */
  private static final DecimalType UINT64 = new DecimalType(20, 0);

  /**
   * Returns the decimal type of the elements of a table's value column; empty for other types, for
   * decimal(20,0), which is uint64, and if options give a dtype.
   */
  static Optional<DecimalType> type(
      TableArgument table, SliceOrdinals columns, TensorOptions options) {
    DataType element = element(table.columns().get(columns.value()).dataType());
    return options.dtype().isEmpty() && element instanceof DecimalType decimal
        ? Optional.of(decimal).filter(found -> !found.equals(UINT64))
        : Optional.empty();
  }

  /**
   * Checks a value column and returns it as a decimal column.
   *
   * @param type decimal type of the tensor's elements
   * @throws io.sparknd.tensor.SparkNdException if the column does not hold slices of {@code shape},
   *     or if a cast of its elements to {@code type} could change them
   */
  static DecimalColumn of(
      TableArgument table, SliceOrdinals columns, DecimalType type, Shape shape) {
    columns.requireRank(table, shape);
    Attribute column = table.columns().get(columns.value());
    Shape slice = Indexing.tuples().plan(shape, Shape.of(0, columns.indices().size())).slice();
    int levels = levels(column.dataType());
    boolean flat = levels == 1 && slice.rank() > 1;
    boolean fits = flat || levels == slice.rank();
    if (!fits || !Cast.canUpCast(element(column.dataType()), type)) {
      throw SqlErrors.decimalColumnType(
          column.name(),
          column.dataType().simpleString(),
          slice,
          nested(type, slice.rank(), true).simpleString());
    }
    return new DecimalColumn(table, columns.value(), type, flat);
  }

  private static DataType element(DataType type) {
    return type instanceof ArrayType array ? element(array.elementType()) : type;
  }

  private static int levels(DataType type) {
    return type instanceof ArrayType array ? 1 + levels(array.elementType()) : 0;
  }

  static DataType nested(DataType element, int levels, boolean nulls) {
    DataType type = element;
    for (int level = 0; level < levels; level++) {
      type = new ArrayType(type, nulls);
    }
    return type;
  }

  /** Returns the table with int64 values in place of the decimals. */
  TableArgument in(DecimalUnits units) {
    Attribute column = table.columns().get(ordinal);
    int levels = levels(column.dataType());
    DataType decimals = nested(type, levels, true);
    Expression cast =
        element(column.dataType()).equals(type)
            ? column
            : Cast$.MODULE$.apply(column, decimals, Option.empty(), true);
    int inner = units.count() == 1 || flat ? 0 : 1;
    Expression value =
        InvokeExpressions.of(
            new DecimalSliceEncoder(units, levels, flat),
            nested(DataTypes.LongType, levels + inner, true),
            List.of(cast));
    List<NamedExpression> columns = new ArrayList<>(table.columns());
    columns.set(ordinal, TensorQuery.alias(value, column.name()));
    return new TableArgument(table.name(), TensorQuery.project(columns, table.plan()));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.LosslessCasts;
import io.sparknd.cluster.internal.spark.ScalaSeqs;
import io.sparknd.op.Indexing;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Shape;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast$;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.internal.SQLConf;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.NullType;
import org.apache.spark.sql.types.StringType;
import scala.Option;

/**
 * A value column whose type has no dtype, so that its values are encoded for the tensor.
 *
 * @param ordinal of the column in {@code table}
 * @param type of the tensor's elements
 * @param flat whether a multidimensional slice is stored as one flat array
 */
record EncodedColumn(TableArgument table, int ordinal, DataType type, boolean flat) {
  /** Returns the element type of a table's value column. */
  static DataType element(TableArgument table, SliceOrdinals columns) {
    return element(table.columns().get(columns.value()).dataType());
  }

  /**
   * Checks a value column and returns it.
   *
   * @param type of the tensor's elements
   * @throws io.sparknd.tensor.SparkNdException if the column does not hold slices of {@code shape},
   *     or if a cast of its elements to {@code type} could change them
   */
  static EncodedColumn of(TableArgument table, SliceOrdinals columns, DataType type, Shape shape) {
    columns.requireRank(table, shape);
    Attribute column = table.columns().get(columns.value());
    Shape slice = Indexing.tuples().plan(shape, Shape.of(0, columns.indices().size())).slice();
    int levels = levels(column.dataType());
    boolean flat = levels == 1 && slice.rank() > 1;
    boolean fits = flat || levels == slice.rank();
    if (!fits || !keepsValues(element(column.dataType()), type)) {
      throw SqlErrors.encodedColumnType(
          column.name(),
          column.dataType().simpleString(),
          slice,
          type.simpleString(),
          nested(type, slice.rank(), true).simpleString());
    }
    return new EncodedColumn(table, columns.value(), type, flat);
  }

  /** Whether no value changes. Of strings, only the same have the same order. */
  private static boolean keepsValues(DataType from, DataType to) {
    return to instanceof StringType
        ? from.equals(to) || from instanceof NullType
        : LosslessCasts.allow(from, to);
  }

  private static DataType element(DataType type) {
    return type instanceof ArrayType array ? element(array.elementType()) : type;
  }

  /** Returns how deep a type nests arrays. */
  static int levels(DataType type) {
    return type instanceof ArrayType array ? 1 + levels(array.elementType()) : 0;
  }

  static DataType nested(DataType element, int levels, boolean nulls) {
    DataType type = element;
    for (int level = 0; level < levels; level++) {
      type = new ArrayType(type, nulls);
    }
    return type;
  }

  String name() {
    return column().name();
  }

  private Attribute column() {
    return table.columns().get(ordinal);
  }

  /** Returns how deep the column nests arrays. */
  int levels() {
    return levels(column().dataType());
  }

  /** Returns the column with elements of {@link #type}. */
  Expression cast() {
    Attribute column = column();
    return element(column.dataType()).equals(type)
        ? column
        : Cast$.MODULE$.apply(
            column,
            nested(type, levels(), true),
            Option.apply(SQLConf.get().sessionLocalTimeZone()),
            true);
  }

  /** Returns the table with {@code values} in place of the column. */
  TableArgument replacedBy(Expression values) {
    return new TableArgument(table.name(), replaced(table.plan(), ordinal, values));
  }

  /**
   * Returns {@code query} with {@code values} in place of its last column, which keeps its name.
   */
  static LogicalPlan lastReplaced(LogicalPlan query, Expression values) {
    return replaced(query, query.output().size() - 1, values);
  }

  private static LogicalPlan replaced(LogicalPlan plan, int ordinal, Expression values) {
    List<NamedExpression> columns = new ArrayList<>(ScalaSeqs.<Attribute>list(plan.output()));
    columns.set(ordinal, TensorQuery.alias(values, columns.get(ordinal).name()));
    return TensorQuery.project(columns, plan);
  }
}

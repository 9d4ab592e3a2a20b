/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.ColumnBuilder;
import io.sparknd.udf.catalyst.RowFunction;
import java.util.List;
import org.apache.spark.sql.catalyst.util.ArrayData;
import org.apache.spark.sql.types.ArrayType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;

/** Evaluates a scalar function row by row on columns in host memory. */
final class HostRows {
  private HostRows() {}

  /**
   * @param rows the rows of every column
   * @return a column of {@code rows} rows, which the caller must close; a row is NULL if an
   *     argument is
   * @throws io.sparknd.tensor.SparkNdException as the function does, for the first row that it
   *     rejects
   */
  static HostColumnVector evaluate(
      RowFunction function, int rows, List<? extends HostColumnVector> arguments) {
    List<HostColumn> columns = arguments.stream().map(HostColumn::of).toList();
    Object[] row = new Object[columns.size()];
    try (ColumnBuilder result =
        new ColumnBuilder(CudfTypes.of(function.dataType()), Math.max(1, rows))) {
      for (int i = 0; i < rows; i++) {
        if (read(columns, i, row)) {
          append(result, function.dataType(), function.call(row));
        } else {
          result.appendNull();
        }
      }
      return result.build();
    }
  }

  /** Reads row {@code i}; returns false if a value is null. */
  private static boolean read(List<HostColumn> columns, int i, Object[] row) {
    for (int argument = 0; argument < row.length; argument++) {
      HostColumn column = columns.get(argument);
      if (column.isNullAt(i)) {
        return false;
      }
      row[argument] = column.value(i);
    }
    return true;
  }

  /** Appends a non-null value in Spark's internal form. */
  static void append(ColumnBuilder to, DataType type, Object value) {
    if (type instanceof ArrayType array) {
      appendArray(to, array.elementType(), (ArrayData) value);
    } else {
      appendElement(to, value);
    }
  }

  private static void appendArray(ColumnBuilder to, DataType element, ArrayData values) {
    ColumnBuilder child = to.getChild(0);
    for (int i = 0; i < values.numElements(); i++) {
      if (values.isNullAt(i)) { // of checked casts, whose result the next function refuses
        child.appendNull();
      } else if (element instanceof ArrayType inner) {
        appendArray(child, inner.elementType(), values.getArray(i));
      } else {
        appendElement(child, element, values, i);
      }
    }
    to.endList();
  }

  private static void appendElement(ColumnBuilder to, DataType type, ArrayData from, int i) {
    if (type.equals(DataTypes.FloatType)) {
      to.append(from.getFloat(i));
    } else if (type.equals(DataTypes.DoubleType)) {
      to.append(from.getDouble(i));
    } else if (type.equals(DataTypes.IntegerType)) {
      to.append(from.getInt(i));
    } else if (type.equals(DataTypes.LongType)) {
      to.append(from.getLong(i));
    } else {
      appendElement(to, from.get(i, type));
    }
  }

  private static void appendElement(ColumnBuilder to, Object value) {
    if (value instanceof Boolean bool) {
      to.append(bool);
    } else if (value instanceof Byte number) {
      to.append(number);
    } else if (value instanceof Short number) {
      to.append(number);
    } else if (value instanceof Integer number) {
      to.append(number);
    } else if (value instanceof Long number) {
      to.append(number);
    } else if (value instanceof Float number) {
      to.append(number);
    } else {
      to.append((double) value);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.HostColumnVector;
import ai.rapids.cudf.HostColumnVector.ColumnBuilder;
import io.sparknd.kernel.cudf.NestedColumns;
import io.sparknd.udf.catalyst.RowFunction;
import java.util.List;

/** Evaluates a scalar function row by row on columns in host memory. */
final class HostRows {
  private HostRows() {}

  /**
   * @param rows the rows of every column
   * @return a column of {@code rows} rows, which the caller must close; a row is NULL if an
   *     argument is
   * @throws io.sparknd.tensor.SparkNdException as the function does, for the first row that it
   *     rejects, and if the column would be too long
   */
  static HostColumnVector evaluate(
      RowFunction function, int rows, List<? extends HostColumnVector> arguments) {
    return evaluate(function, rows, arguments, NestedColumns.MAX_LENGTH);
  }

  /**
   * @param limit the most lists of a level, or elements, of the result
   */
  static HostColumnVector evaluate(
      RowFunction function, int rows, List<? extends HostColumnVector> arguments, int limit) {
    List<HostColumn> columns = arguments.stream().map(HostColumn::of).toList();
    Object[] row = new Object[columns.size()];
    try (ColumnBuilder result =
        new ColumnBuilder(CudfTypes.of(function.dataType()), Math.max(1, rows))) {
      ColumnAppender appender = new ColumnAppender(result, function.dataType(), rows, limit);
      for (int i = 0; i < rows; i++) {
        if (read(columns, i, row)) {
          appender.append(function.call(row));
        } else {
          appender.appendNull();
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
}

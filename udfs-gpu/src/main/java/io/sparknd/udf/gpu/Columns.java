/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.gpu;

import ai.rapids.cudf.ColumnVector;
import ai.rapids.cudf.HostColumnVector;
import io.sparknd.kernel.cudf.NestedColumns;
import io.sparknd.udf.catalyst.RowFunction;
import io.sparknd.udf.catalyst.RowOperator;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Evaluates a scalar function on GPU columns: on the GPU if there is a kernel and it supports every
 * row, otherwise row by row on the CPU with copies of the columns.
 */
final class Columns {
  private Columns() {}

  /**
   * @param rows the rows of every column
   * @param arguments the function's arguments; the caller closes them
   * @return a column of {@code rows} rows; a row is NULL if an argument is
   * @throws io.sparknd.tensor.SparkNdException as the function does, for the first row that it
   *     rejects
   */
  static ColumnVector evaluate(RowFunction function, int rows, ColumnVector... arguments) {
    return onDevice(function.operator(), arguments)
        .orElseGet(() -> onHost(function, rows, arguments));
  }

  private static Optional<ColumnVector> onDevice(RowOperator operator, ColumnVector... in) {
    if (operator instanceof RowOperator.Scatter how) {
      return NestedColumns.scatter(how.reduction(), how.policy(), how.depth(), in[0], in[1], in[2]);
    }
    if (operator instanceof RowOperator.ScatterNd how) {
      return NestedColumns.scatterNd(how.policy(), how.depth(), in[0], in[1], in[2], how.rank());
    }
    if (operator instanceof RowOperator.Gather how) {
      return NestedColumns.gather(how.policy(), how.depth(), in[0], in[1]);
    }
    return Optional.empty();
  }

  private static ColumnVector onHost(RowFunction function, int rows, ColumnVector... arguments) {
    List<HostColumnVector> copies = new ArrayList<>();
    try {
      for (ColumnVector argument : arguments) {
        copies.add(argument.copyToHost());
      }
      try (HostColumnVector result = HostRows.evaluate(function, rows, copies)) {
        return result.copyToDevice();
      }
    } finally {
      copies.forEach(HostColumnVector::close);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.scan.PlannedRows;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.apache.spark.sql.types.StructType;

/**
 * Converts errors of the rows that make up a tensor, since no option of the call would accept such
 * rows.
 */
final class TensorRowErrors {
  private TensorRowErrors() {}

  /** Returns the conversion of errors of rows with these columns. */
  static UnaryOperator<SparkNdException> of(StructType schema) {
    String tensor = PlannedRows.rowsOf(List.of(), schema).orElse("the tensor");
    return error -> of(error, tensor);
  }

  private static SparkNdException of(SparkNdException error, String tensor) {
    Map<String, String> found = error.parameters();
    return switch (error.condition()) {
      case "SPARKND_INDEX_OUT_OF_BOUNDS", "SPARKND_NEGATIVE_INDEX" ->
          ClusterErrors.rowOutsideTensor(
              value(found, "position"), value(found, "tuple"), value(found, "target"));
      case "SPARKND_DUPLICATE_INDEX.DUPLICATE_SLICE" ->
          ClusterErrors.rowsOfOneSlice(tensor, value(found, "tuple"));
      default -> error;
    };
  }

  /** Returns a parameter that all errors of a condition have. */
  private static String value(Map<String, String> found, String name) {
    return Objects.requireNonNull(found.get(name));
  }
}

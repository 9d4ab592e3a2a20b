/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.scan.PlannedRows;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.apache.spark.sql.types.StructType;

/**
 * Converts errors of the rows that make up a tensor, since no option of the call would accept such
 * rows.
 */
final class TensorRowErrors {
  private TensorRowErrors() {}

  /** Returns the result of {@code read}; its errors are converted to those of a tensor's rows. */
  static <T> T during(StructType schema, Supplier<T> read) {
    try {
      return read.get();
    } catch (SparkNdException e) {
      throw of(e, PlannedRows.rowsOf(List.of(), schema).orElse("the tensor"));
    }
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.tables;

import io.sparknd.cluster.ClusterErrors;
import io.sparknd.cluster.spark.PlannedRows;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.apache.spark.sql.types.StructType;

/** Errors of the rows that a tensor is made of: no option of the call would take such rows. */
final class TensorRowErrors {
  private TensorRowErrors() {}

  /** What {@code read} gives; its errors say what to do about a tensor. */
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
              found.get("position"), found.get("tuple"), found.get("target"));
      case "SPARKND_DUPLICATE_INDEX.DUPLICATE_SLICE" ->
          ClusterErrors.rowsOfOneSlice(tensor, found.get("tuple"));
      default -> error;
    };
  }
}

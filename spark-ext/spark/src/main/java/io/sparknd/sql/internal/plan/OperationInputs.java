/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The input rows of an operation.
 *
 * @param tables in the order of the function's arguments, each with columns {@code c0, c1, ...}
 * @param indices only the tensor's index columns, {@code c0, c1, ...}; present if its table can be
 *     read twice
 */
record OperationInputs(List<Dataset<Row>> tables, Optional<Supplier<Dataset<Row>>> indices) {
  /** Returns the inputs without a first pass over the index columns. */
  OperationInputs withoutIndices() {
    return new OperationInputs(tables, Optional.empty());
  }

  Dataset<Row> first() {
    return tables.get(0);
  }

  Dataset<Row> second() {
    return tables.get(1);
  }
}

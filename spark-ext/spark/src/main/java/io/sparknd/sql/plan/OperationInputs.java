/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * What an operation reads.
 *
 * @param tables in the order of the function, each with columns {@code c0, c1, ...}
 * @param indices the tensor's index columns alone, {@code c0, c1, ...}, where its table can be read
 *     twice
 */
record OperationInputs(List<Dataset<Row>> tables, Optional<Dataset<Row>> indices) {
  Dataset<Row> first() {
    return tables.get(0);
  }

  Dataset<Row> second() {
    return tables.get(1);
  }
}

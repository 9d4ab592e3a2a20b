/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.spark;

import io.sparknd.cluster.DistributedTensor;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** The benchmarks on tables, as written by a user of SparkND. */
final class TensorJobs {
  private static final TensorColumns COLUMNS = TensorColumns.of("value", "id");

  private TensorJobs() {}

  /** Loads a tensor from a table or from cells. */
  static DistributedTensor tensor(Dataset<Row> rows, Shape shape) {
    return DistributedTensor.fromDataset(rows, COLUMNS, DType.FLOAT32, shape, Partitioning.AUTO);
  }

  static Dataset<Row> scattered(DistributedTensor tensor, Scatter how, Dataset<Row> updates) {
    return tensor.scatter(how, updates, COLUMNS).toDataset(1);
  }

  static Dataset<Row> gathered(DistributedTensor tensor, Dataset<Row> lookups) {
    return tensor.gather(Gather.strict(), lookups, List.of("id"));
  }
}

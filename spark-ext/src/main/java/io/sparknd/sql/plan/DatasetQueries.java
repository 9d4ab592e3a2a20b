/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.tensor.NdErrors;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/** Table functions called on Datasets. */
public final class DatasetQueries {
  private DatasetQueries() {}

  /**
   * @param name of the argument, for messages
   */
  public static TableArgument table(String name, Dataset<Row> rows) {
    return new TableArgument(name, classic(rows).queryExecution().analyzed());
  }

  /**
   * The rows of {@code operation}, computed when they are used.
   *
   * @param first one of the Datasets that {@code tables} are
   */
  public static Dataset<Row> of(
      TensorOperation operation, List<TableArgument> tables, Dataset<Row> first) {
    return org.apache.spark.sql.classic.Dataset.ofRows(
        classic(first).sparkSession(), TensorQuery.of(operation, tables));
  }

  private static org.apache.spark.sql.classic.Dataset<Row> classic(Dataset<Row> rows) {
    if (rows instanceof org.apache.spark.sql.classic.Dataset<Row> classic) {
      return classic;
    }
    throw NdErrors.notClassicSpark(rows.getClass().getName());
  }
}

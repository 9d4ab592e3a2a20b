/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.FoldListener;
import io.sparknd.cluster.TableQuery;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.types.StructType;

/** What a table function does, with its columns found and checked. */
public sealed interface TensorOperation extends Serializable permits GatherRows, ScatterRows {
  /** Columns of the result. */
  StructType schema();

  /**
   * Runs it.
   *
   * @param tables in the order of the function, with columns {@code c0, c1, ...}
   */
  TableQuery run(List<Dataset<Row>> tables, FoldListener listener);

  /**
   * A guess at the bytes of the result.
   *
   * @param tables bytes of the tables
   */
  double bytes(List<Double> tables);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.metrics.ScatterMetrics;
import java.io.Serializable;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.StructType;

/** The operation of a table function, with resolved and checked columns. */
public sealed interface TensorOperation extends Serializable
    permits FailedOperation, GatherOperation, ScatterOperation {
  /** The columns of the result. */
  StructType schema();

  /** Returns the columns of the first table, if that is a tensor. */
  Optional<SliceOrdinals> tensorTable();

  /** Whether a first pass over the index columns of the tensor's table may be worth its time. */
  boolean readsIndices();

  /** Returns the columns of the tables that hold slices, by the table's position in the query. */
  Map<Integer, SliceOrdinals> sliceTables();

  /** Returns the argument name of table {@code i}, for messages. */
  String argument(int i);

  /**
   * Returns the operation on another version of its stored table; itself if it has none.
   *
   * @throws io.sparknd.tensor.SparkNdException if the table has become another tensor
   */
  default TensorOperation at(DataSourceV2Relation version) {
    return this;
  }

  /**
   * Runs the operation.
   *
   * @param metrics count what its tasks do
   */
  TableQuery run(OperationInputs inputs, QueryMetrics metrics);

  /**
   * Checks what is known once a scatter's updates have been sent, before its slices are read.
   *
   * @throws io.sparknd.tensor.SparkNdException if its results would not be exact
   */
  default void requireExact(ScatterMetrics sent) {}

  /**
   * Estimates the size of the result in bytes.
   *
   * @param tables sizes of the tables in bytes
   */
  double bytes(List<Double> tables);
}

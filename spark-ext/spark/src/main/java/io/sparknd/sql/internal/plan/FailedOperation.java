/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.tensor.SparkNdException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.StructType;

/**
 * An operation whose stored table is no longer what was analyzed. It is an error only when it runs:
 * Spark also plans what is cached in commands of others, such as {@code REFRESH TABLE}, which must
 * not fail.
 *
 * @param analyzed the operation on the table as it was
 */
record FailedOperation(TensorOperation analyzed, SparkNdException error)
    implements TensorOperation {
  @Override
  public StructType schema() {
    return analyzed.schema();
  }

  @Override
  public Optional<SliceOrdinals> tensorTable() {
    return Optional.empty();
  }

  @Override
  public boolean readsIndices() {
    return false;
  }

  @Override
  public Map<Integer, SliceOrdinals> sliceTables() {
    return analyzed.sliceTables();
  }

  @Override
  public String argument(int i) {
    return analyzed.argument(i);
  }

  @Override
  public TensorOperation at(DataSourceV2Relation version) {
    return analyzed.at(version);
  }

  @Override
  public TableQuery run(OperationInputs inputs, QueryMetrics metrics) {
    throw error;
  }

  @Override
  public double bytes(List<Double> tables) {
    return analyzed.bytes(tables);
  }

  /** The text shown by {@code EXPLAIN}. */
  @Override
  public String toString() {
    return analyzed + ", fails: " + error.getMessage();
  }
}

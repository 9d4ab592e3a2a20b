/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.op.Scatter;
import io.sparknd.op.ScatterCall;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.StructType;

/**
 * The operation of {@code tensor_scatter_nd_*} on a stored tensor: returns all slices after the
 * updates, including slices that were never written.
 *
 * @param updates columns of the updates' table
 * @param updateNames names of all columns of the updates' table
 * @param range the slices that are returned
 */
record RelationScatterRows(
    TensorRelation table,
    Scatter how,
    SliceOrdinals updates,
    List<String> updateNames,
    StructType schema,
    SliceRange range)
    implements ScatterOperation {

  /**
   * Resolves and checks the columns of a call.
   *
   * @param tensor column names of {@code table}
   * @throws io.sparknd.tensor.SparkNdException if tables and options are inconsistent
   */
  static RelationScatterRows of(
      TensorRelation table,
      TensorNames tensor,
      TableArgument updates,
      TensorOptions options,
      Scatter how) {
    options.requireFor(table);
    ScatterCall.check(how, table.dtype());
    // the tensor's table fixes the roles of its columns; another role for the same name is an error
    SliceOrdinals changes = ColumnResolver.ofUpdates(updates, options, tensor);
    changes.requireValues(updates, table.dtype(), table.shape());
    return new RelationScatterRows(
        table, how, changes, updates.columnNames(), table.schema(), SliceRange.ALL);
  }

  @Override
  public Optional<SliceOrdinals> tensorTable() {
    return Optional.empty();
  }

  @Override
  public Map<Integer, SliceOrdinals> sliceTables() {
    return Map.of(0, updates);
  }

  @Override
  public DType dtype() {
    return table.dtype();
  }

  @Override
  public Shape shape() {
    return table.shape();
  }

  @Override
  public Optional<SliceSet> few() {
    return Optional.empty();
  }

  @Override
  public RelationScatterRows within(SliceRange slices, Optional<SliceSet> few) {
    return new RelationScatterRows(table, how, updates, updateNames, schema, slices);
  }

  @Override
  public String argument(int i) {
    return "updates";
  }

  @Override
  public RelationScatterRows at(DataSourceV2Relation version) {
    TensorRelation newer = TensorRelations.at(version, table);
    return new RelationScatterRows(newer, how, updates, updateNames, schema, range);
  }

  @Override
  public TableQuery run(OperationInputs inputs, QueryMetrics metrics) {
    return table.scatter(
        inputs.first().sparkSession(),
        how,
        inputs.first(),
        updates.columns(),
        range,
        metrics.folds());
  }

  /** The text shown by {@code EXPLAIN}. */
  @Override
  public String toString() {
    return CallText.ofTensorScatter(how)
            .with("tensor", "" + table.dtype() + table.shape() + " in " + table)
            .withColumns(updates, updateNames)
            .with(how)
        + CallText.of(range, few());
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.op.Gather;
import io.sparknd.op.Indexing;
import io.sparknd.sql.internal.SqlErrors;
import io.sparknd.tensor.Shape;
import java.util.Arrays;
import java.util.List;
import org.apache.spark.sql.execution.datasources.v2.DataSourceV2Relation;
import org.apache.spark.sql.types.StructType;

/**
 * The operation of {@code gather_nd} on a stored tensor; it reads only the blocks that the indices
 * name.
 *
 * @param indices ordinals of the index columns in the indices' table
 */
record RelationGatherRows(
    TensorRelation table, Gather how, List<Integer> indices, StructType schema)
    implements GatherOperation {

  /**
   * Resolves and checks the columns of a call.
   *
   * @param tensor column names of {@code table}
   * @param batchDims number of leading index columns that are batch coordinates
   * @throws io.sparknd.tensor.SparkNdException if tables and options are inconsistent
   */
  static RelationGatherRows of(
      TensorRelation table,
      TensorNames tensor,
      TableArgument indices,
      TensorOptions options,
      Gather how,
      int batchDims) {
    options.requireFor(table);
    String value = options.requireValueColumn(table);
    List<Integer> tuple = ColumnResolver.ofIndices(indices, options, tensor);
    if (tuple.isEmpty()) {
      throw SqlErrors.gatherNeedsIndexColumn(table.toString());
    }
    GatherRows.check(how, batchDims, tuple.size(), table.dtype());
    Shape slice = Indexing.tuples().plan(table.shape(), Shape.of(0, tuple.size())).slice();
    StructType schema =
        GatherRows.rows(indices).add(value, SqlTypes.slice(table.dtype(), slice.rank()), false);
    return new RelationGatherRows(table, how, tuple, schema);
  }

  @Override
  public int columns() {
    return schema.length() - 1;
  }

  @Override
  public List<Integer> ordinalsRead() {
    return indices;
  }

  @Override
  public GatherOperation keeping(List<Integer> kept) {
    StructType columns = GatherOperation.select(schema, kept);
    List<Integer> places = GatherOperation.places(indices, kept);
    return kept.contains(columns())
        ? new RelationGatherRows(table, how, places, columns)
        : new CheckedRows(table.shape(), how.indices(), places, columns);
  }

  @Override
  public RelationGatherRows at(DataSourceV2Relation version) {
    return new RelationGatherRows(TensorRelations.at(version, table), how, indices, schema);
  }

  @Override
  public TableQuery run(OperationInputs inputs, QueryMetrics metrics) {
    List<String> names = indices.stream().map(SliceOrdinals::name).toList();
    return table.gather(inputs.first().sparkSession(), how, inputs.first(), names);
  }

  @Override
  public double bytes(List<Double> tables) {
    StructType rows = new StructType(Arrays.copyOf(schema.fields(), schema.length() - 1));
    return tables.get(0)
        * (1
            + PlannedSizes.bytes(table.dtype(), table.shape().from(indices.size()))
                / Math.max(1, rows.defaultSize()));
  }

  /** The text shown by {@code EXPLAIN}. */
  @Override
  public String toString() {
    String[] columns = schema.fieldNames();
    return CallText.of("gather_nd")
            .with("params", "" + table.dtype() + table.shape() + " in " + table)
            .with("index_columns", indices.stream().map(i -> columns[i]).toList())
            .with(how.indices())
        + ", reads only the requested blocks";
  }
}

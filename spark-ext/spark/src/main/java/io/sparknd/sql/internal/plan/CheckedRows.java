/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.op.IndexPolicy;
import io.sparknd.tensor.Shape;
import java.util.List;
import org.apache.spark.sql.types.StructType;

/**
 * What remains of a gather if no operator uses its slices: the indices are checked, the rows are
 * returned, and the tensor is not read.
 *
 * @param shape of the tensor
 * @param indices ordinals of the index columns
 */
record CheckedRows(Shape shape, IndexPolicy policy, List<Integer> indices, StructType schema)
    implements GatherOperation {

  @Override
  public int columns() {
    return schema.length();
  }

  @Override
  public List<Integer> ordinalsRead() {
    return indices;
  }

  @Override
  public CheckedRows keeping(List<Integer> kept) {
    return new CheckedRows(
        shape, policy, GatherOperation.places(indices, kept), GatherOperation.select(schema, kept));
  }

  @Override
  public TableQuery run(OperationInputs inputs, QueryMetrics metrics) {
    List<String> names = indices.stream().map(SliceOrdinals::name).toList();
    return TableQuery.checked(inputs.first(), names, shape, policy);
  }

  @Override
  public double bytes(List<Double> tables) {
    return tables.get(0);
  }

  /** The text shown by {@code EXPLAIN}. */
  @Override
  public String toString() {
    String[] columns = schema.fieldNames();
    return CallText.of("gather_nd")
            .with("shape", shape)
            .with("index_columns", indices.stream().map(i -> columns[i]).toList())
            .with(policy)
        + ", without slices";
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.NegativeIndices;
import io.sparknd.sql.plan.DatasetQueries;
import io.sparknd.sql.plan.TableArgument;
import io.sparknd.sql.plan.TensorOptions;
import io.sparknd.sql.plan.TensorPlans;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The table function {@code gather_nd} for Datasets: rows of indices, each with the slice of a
 * tensor that it names.
 *
 * <pre>{@code
 * Dataset<Row> features = GatherNd.of(embeddings, clicks).withShape(Shape.of(1_000_000, 64)).toDataset();
 * }</pre>
 *
 * Immutable. The rule is that of TensorFlow's {@code tf.gather_nd}.
 */
public final class GatherNd {
  private final Dataset<Row> params;
  private final Dataset<Row> indices;
  private final TensorOptions options;
  private final Gather how;
  private final int batchDims;

  private GatherNd(
      Dataset<Row> params, Dataset<Row> indices, TensorOptions options, Gather how, int batchDims) {
    this.params = params;
    this.indices = indices;
    this.options = options;
    this.how = how;
    this.batchDims = batchDims;
  }

  /**
   * @param params the tensor: {@code k} index columns, and a value column of slices {@code
   *     shape[k:]}, last; a row a slice, zero where there is none
   * @param indices index columns of the names that the params' have, else the first {@code k} where
   *     there is none of the params' names; others come out as they are
   */
  public static GatherNd of(Dataset<Row> params, Dataset<Row> indices) {
    return new GatherNd(params, indices, TensorOptions.NONE, Gather.strict(), 0);
  }

  private GatherNd with(TensorOptions other) {
    return new GatherNd(params, indices, other, how, batchDims);
  }

  private GatherNd with(Gather other) {
    return new GatherNd(params, indices, options, other, batchDims);
  }

  /** The shape of the tensor; left out, the property {@code sparknd.shape} of its table. */
  public GatherNd withShape(Shape shape) {
    return with(options.withShape(shape));
  }

  /** The dtype of the tensor; left out, that of the value column's SQL type. */
  public GatherNd withDType(DType dtype) {
    return with(options.withDType(dtype));
  }

  /**
   * The index columns of both tables, outermost dimension first; the indices may have any number up
   * to the rank. Left out, those of the params' names.
   */
  public GatherNd withIndexColumns(String... columns) {
    return with(options.withIndexColumns(columns));
  }

  /** The value column of the params, which must have it; left out, their last column. */
  public GatherNd withValueColumn(String column) {
    return with(options.withValueColumn(column));
  }

  /** How many of the index columns, from the first, are the coordinates of a batch. */
  public GatherNd withBatchDims(int dims) {
    return new GatherNd(params, indices, options, how, dims);
  }

  public GatherNd withBadIndices(BadIndices bad) {
    return with(how.withBadIndices(bad));
  }

  public GatherNd withNegativeIndices(NegativeIndices negative) {
    return with(how.withNegativeIndices(negative));
  }

  /**
   * The rows of the indices with one more column, of the name of the params' value column. Computed
   * when it is used; bad rows are an error then.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns, shape and options do not go together
   */
  public Dataset<Row> toDataset() {
    TableArgument tensor = DatasetQueries.table("params", params);
    TableArgument tuples = DatasetQueries.table("indices", indices);
    return DatasetQueries.of(
        () -> TensorPlans.gather(tensor, tuples, options, how, batchDims), params);
  }
}

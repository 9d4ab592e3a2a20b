/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.op.NegativeIndices;
import io.sparknd.sql.internal.connect.ConnectQueries;
import io.sparknd.sql.internal.plan.DatasetQueries;
import io.sparknd.sql.internal.plan.GatherArguments;
import io.sparknd.sql.internal.plan.TableArgument;
import io.sparknd.sql.internal.plan.TensorOptions;
import io.sparknd.sql.internal.plan.TensorPlans;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.List;
import java.util.Optional;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The table function {@code gather_nd} for Datasets. It appends to each row of indices the slice of
 * the tensor that the row names.
 *
 * <pre>{@code
 * Dataset<Row> features = GatherNd.of(embeddings, clicks)
 *     .withShape(Shape.of(1_000_000, 64))
 *     .toDataset();
 * }</pre>
 *
 * <p>Immutable. The semantics are those of TensorFlow's {@code tf.gather_nd}.
 */
public final class GatherNd {
  private final Dataset<Row> params;
  private final Dataset<Row> indices;
  private final TensorOptions options;
  private final GatherArguments arguments;

  private GatherNd(
      Dataset<Row> params, Dataset<Row> indices, TensorOptions options, GatherArguments arguments) {
    this.params = params;
    this.indices = indices;
    this.options = options;
    this.arguments = arguments;
  }

  /**
   * Returns a gather from {@code params} by {@code indices}.
   *
   * @param params the tensor: {@code k} index columns, then a value column of slices {@code
   *     shape[k:]}; one row per slice, missing slices are zero
   * @param indices a table with index columns of the same names as those of {@code params}; if it
   *     has none of these names, its first {@code k} columns; other columns pass through unchanged
   */
  public static GatherNd of(Dataset<Row> params, Dataset<Row> indices) {
    return new GatherNd(params, indices, TensorOptions.NONE, GatherArguments.of(Gather.strict()));
  }

  private GatherNd with(TensorOptions other) {
    return new GatherNd(params, indices, other, arguments);
  }

  private GatherNd with(GatherArguments other) {
    return new GatherNd(params, indices, options, other);
  }

  /** Sets the shape of the tensor; default: the table property {@code sparknd.shape}. */
  public GatherNd withShape(Shape shape) {
    return with(options.withShape(shape));
  }

  /** Sets the dtype of the tensor; default: that of the value column's SQL type. */
  public GatherNd withDType(DType dtype) {
    return with(options.withDType(dtype));
  }

  /**
   * Names the index columns of both tables, outermost dimension first. The indices may have any
   * number up to the rank. Default: the names in the params; by position if the indices have none
   * of these names.
   */
  public GatherNd withIndexColumns(String... columns) {
    return with(options.withIndexColumns(columns));
  }

  /** Names the value column, which the params must have; default: their last column. */
  public GatherNd withValueColumn(String column) {
    return with(options.withValueColumn(column));
  }

  /** Names variables of params, which must be a feature table; default: all variables. */
  public GatherNd withValueColumns(String... columns) {
    return with(arguments.withValueColumns(List.of(columns)));
  }

  /**
   * Adds a last column of this name, which is true if the key of the row is in params, a feature
   * table, and false if its variables have their fill values because it is not. Default: no such
   * column.
   */
  public GatherNd withFoundColumn(String column) {
    return with(arguments.withFound(Optional.of(column)));
  }

  /** Sets how many leading index columns are batch coordinates. */
  public GatherNd withBatchDims(int dims) {
    return with(arguments.withBatchDims(dims));
  }

  /**
   * Sets the policy for indices out of bounds. {@link BadIndices#IGNORE} takes negative indices as
   * out of bounds too, unless they wrap or {@link #withNegativeIndices} makes them errors
   * afterwards.
   */
  public GatherNd withBadIndices(BadIndices bad) {
    return with(arguments.with(arguments.how().withBadIndices(bad)));
  }

  public GatherNd withNegativeIndices(NegativeIndices negative) {
    return with(arguments.with(arguments.how().withNegativeIndices(negative)));
  }

  /**
   * Returns the rows of the indices with one more column, named as the value column of the params;
   * if the params are a feature table, with a column for each variable. Evaluated lazily; bad rows
   * fail the evaluation. From a Connect client, the call is SQL on temporary views, which the
   * session keeps.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns, shape and options are inconsistent
   */
  public Dataset<Row> toDataset() {
    if (ConnectQueries.isRemote(params)) {
      return ConnectQueries.gather(params, indices, options, arguments);
    }
    TableArgument tensor = DatasetQueries.table("params", params);
    TableArgument tuples = DatasetQueries.table("indices", indices);
    return DatasetQueries.of(() -> TensorPlans.gather(tensor, tuples, options, arguments), params);
  }
}

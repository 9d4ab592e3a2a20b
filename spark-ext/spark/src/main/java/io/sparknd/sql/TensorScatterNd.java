/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.sql.internal.connect.ConnectQueries;
import io.sparknd.sql.internal.plan.DatasetQueries;
import io.sparknd.sql.internal.plan.TableArgument;
import io.sparknd.sql.internal.plan.TensorOptions;
import io.sparknd.sql.internal.plan.TensorPlans;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The table functions {@code tensor_scatter_nd_*} for Datasets. They return the rows of a tensor
 * after updates.
 *
 * <pre>{@code
 * Dataset<Row> next = TensorScatterNd.of(Scatter.add(), embeddings, gradients)
 *     .withShape(Shape.of(1_000_000, 64))
 *     .toDataset();
 * }</pre>
 *
 * <p>Immutable. The semantics are those of TensorFlow's operators of these names.
 */
public final class TensorScatterNd {
  private final Scatter how;
  private final Dataset<Row> tensor;
  private final Dataset<Row> updates;
  private final TensorOptions options;

  private TensorScatterNd(
      Scatter how, Dataset<Row> tensor, Dataset<Row> updates, TensorOptions options) {
    this.how = how;
    this.tensor = tensor;
    this.updates = updates;
    this.options = options;
  }

  /**
   * Returns a scatter of {@code updates} into {@code tensor}.
   *
   * @param how any reduction, including those without an SQL function
   * @param tensor {@code k} index columns, then a value column of slices {@code shape[k:]}; one row
   *     per slice, missing slices are zero
   * @param updates {@code j} index columns and a value column of slices {@code shape[j:]}, found by
   *     the names of the tensor's columns; if it has none of these names, by position, the value
   *     last
   */
  public static TensorScatterNd of(Scatter how, Dataset<Row> tensor, Dataset<Row> updates) {
    return new TensorScatterNd(how, tensor, updates, TensorOptions.NONE);
  }

  private TensorScatterNd with(TensorOptions other) {
    return new TensorScatterNd(how, tensor, updates, other);
  }

  private TensorScatterNd with(Scatter other) {
    return new TensorScatterNd(other, tensor, updates, options);
  }

  /** Sets the shape of the tensor; default: the table property {@code sparknd.shape}. */
  public TensorScatterNd withShape(Shape shape) {
    return with(options.withShape(shape));
  }

  /** Sets the dtype of the tensor; default: that of its value column's SQL type. */
  public TensorScatterNd withDType(DType dtype) {
    return with(options.withDType(dtype));
  }

  /**
   * Names the index columns of both tables, outermost dimension first. The updates may have any
   * number up to the rank. Default: the names in the tensor; if the updates have none of its names,
   * their first columns.
   */
  public TensorScatterNd withIndexColumns(String... columns) {
    return with(options.withIndexColumns(columns));
  }

  /**
   * Names the value column. The updates must have it; a tensor without it uses its last column.
   * Default: the tensor's last column; in the updates, the column of that name, otherwise the only
   * one besides the index columns.
   */
  public TensorScatterNd withValueColumn(String column) {
    return with(options.withValueColumn(column));
  }

  /** Names the columns of the updates that order several updates to one slice. */
  public TensorScatterNd orderedBy(String... columns) {
    return with(options.orderedBy(columns));
  }

  /**
   * Sets the policy for indices out of bounds. {@link BadIndices#IGNORE} drops negative indices
   * too, unless they wrap or {@link #withNegativeIndices} makes them errors afterwards.
   */
  public TensorScatterNd withBadIndices(BadIndices bad) {
    return with(how.withBadIndices(bad));
  }

  public TensorScatterNd withNegativeIndices(NegativeIndices negative) {
    return with(how.withNegativeIndices(negative));
  }

  public TensorScatterNd withDuplicates(Duplicates duplicates) {
    return with(how.withDuplicates(duplicates));
  }

  /**
   * Returns all slices of the tensor, one per row, in columns like its own. Evaluated lazily; bad
   * rows fail the evaluation before it returns any row. From a Connect client, the call is SQL on
   * temporary views, which the session keeps, and has the reductions of the functions {@code
   * tensor_scatter_nd_*}.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns, shape and options are inconsistent
   */
  public Dataset<Row> toDataset() {
    if (ConnectQueries.isRemote(tensor)) {
      return ConnectQueries.scatter(tensor, updates, options, how);
    }
    TableArgument into = DatasetQueries.table("tensor", tensor);
    TableArgument changes = DatasetQueries.table("updates", updates);
    return DatasetQueries.of(() -> TensorPlans.scatter(into, changes, options, how), tensor);
  }
}

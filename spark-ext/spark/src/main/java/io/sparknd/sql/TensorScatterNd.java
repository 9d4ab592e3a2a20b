/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql;

import io.sparknd.op.BadIndices;
import io.sparknd.op.Duplicates;
import io.sparknd.op.NegativeIndices;
import io.sparknd.op.Scatter;
import io.sparknd.sql.plan.DatasetQueries;
import io.sparknd.sql.plan.TableArgument;
import io.sparknd.sql.plan.TensorOptions;
import io.sparknd.sql.plan.TensorPlans;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * The table functions {@code tensor_scatter_nd_*} for Datasets: the rows of a tensor after updates.
 *
 * <pre>{@code
 * Dataset<Row> next = TensorScatterNd.of(Scatter.add(), embeddings, gradients)
 *     .withShape(Shape.of(1_000_000, 64))
 *     .toDataset();
 * }</pre>
 *
 * Immutable. The rules are those of TensorFlow's operators of these names.
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
   * @param how any reduction, also those that SQL has no function for
   * @param tensor {@code k} index columns, and a value column of slices {@code shape[k:]}, last; a
   *     row a slice, zero where there is none
   * @param updates {@code j} index columns, and a value column of slices {@code shape[j:]}, by the
   *     names that the tensor's columns have; by position, the value last, where they have none
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

  /** The shape of the tensor; left out, the property {@code sparknd.shape} of its table. */
  public TensorScatterNd withShape(Shape shape) {
    return with(options.withShape(shape));
  }

  /** The dtype of the tensor; left out, that of its value column's SQL type. */
  public TensorScatterNd withDType(DType dtype) {
    return with(options.withDType(dtype));
  }

  /**
   * The index columns of both tables, outermost dimension first; the updates may have any number up
   * to the rank. Left out, those of the tensor's names, and the first ones where the updates have
   * none of its names.
   */
  public TensorScatterNd withIndexColumns(String... columns) {
    return with(options.withIndexColumns(columns));
  }

  /**
   * The value column of both tables; left out, the tensor's last column, and in the updates the one
   * of that name, else the only one beside the index columns. A table that lacks the name keeps its
   * own.
   */
  public TensorScatterNd withValueColumn(String column) {
    return with(options.withValueColumn(column));
  }

  /** Columns of the updates that say which of several to one slice comes first. */
  public TensorScatterNd orderedBy(String... columns) {
    return with(options.orderedBy(columns));
  }

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
   * All slices of the tensor, a row each, in columns like its own. Computed when it is used; bad
   * rows are an error then, before any row comes out.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns, shape and options do not go together
   */
  public Dataset<Row> toDataset() {
    TableArgument into = DatasetQueries.table("tensor", tensor);
    TableArgument changes = DatasetQueries.table("updates", updates);
    return DatasetQueries.of(() -> TensorPlans.scatter(into, changes, options, how), tensor);
  }
}

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
 * The table function {@code scatter_nd} for Datasets. It applies updates to a tensor of zeros.
 *
 * <pre>{@code
 * Dataset<Row> counts = ScatterNd.of(events, Shape.of(1_000_000)).toDataset();
 * }</pre>
 *
 * <p>Immutable. The semantics are those of TensorFlow's {@code tf.scatter_nd}.
 */
public final class ScatterNd {
  private final Scatter how;
  private final Dataset<Row> updates;
  private final TensorOptions options;

  private ScatterNd(Scatter how, Dataset<Row> updates, TensorOptions options) {
    this.how = how;
    this.updates = updates;
    this.options = options;
  }

  /**
   * Returns a scatter that adds up the updates of each slice; strings are concatenated.
   *
   * @param updates {@code k} index columns, then a value column of slices {@code shape[k:]}
   * @param shape of the tensor
   */
  public static ScatterNd of(Dataset<Row> updates, Shape shape) {
    return new ScatterNd(Scatter.add(), updates, TensorOptions.NONE.withShape(shape));
  }

  private ScatterNd with(TensorOptions other) {
    return new ScatterNd(how, updates, other);
  }

  private ScatterNd with(Scatter other) {
    return new ScatterNd(other, updates, options);
  }

  /**
   * Replaces the reduction and its policies; every reduction starts from zeros, unless they are
   * {@link Scatter#withSelf excluded}.
   */
  public ScatterNd reducedBy(Scatter other) {
    return with(other);
  }

  /** Sets the dtype of the tensor; default: that of the value column's SQL type. */
  public ScatterNd withDType(DType dtype) {
    return with(options.withDType(dtype));
  }

  /**
   * Names the index columns of the updates, outermost dimension first; any number up to the rank.
   */
  public ScatterNd withIndexColumns(String... columns) {
    return with(options.withIndexColumns(columns));
  }

  /** Names the value column of the updates. */
  public ScatterNd withValueColumn(String column) {
    return with(options.withValueColumn(column));
  }

  /** Names the columns that order several updates to one slice. */
  public ScatterNd orderedBy(String... columns) {
    return with(options.orderedBy(columns));
  }

  /**
   * Sets the policy for indices out of bounds. {@link BadIndices#IGNORE} drops negative indices
   * too, unless they wrap or {@link #withNegativeIndices} makes them errors afterwards.
   */
  public ScatterNd withBadIndices(BadIndices bad) {
    return with(how.withBadIndices(bad));
  }

  public ScatterNd withNegativeIndices(NegativeIndices negative) {
    return with(how.withNegativeIndices(negative));
  }

  public ScatterNd withDuplicates(Duplicates duplicates) {
    return with(how.withDuplicates(duplicates));
  }

  /**
   * Returns all slices of the tensor, one per row, as bigint index columns and a value column named
   * as in the updates. Evaluated lazily; bad rows fail the evaluation before it returns any row.
   * From a Connect client, the call is SQL on a temporary view, which the session keeps.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns, shape and options are inconsistent
   */
  public Dataset<Row> toDataset() {
    if (ConnectQueries.isRemote(updates)) {
      return ConnectQueries.scatterIntoZeros(updates, options, how);
    }
    TableArgument changes = DatasetQueries.table("updates", updates);
    return DatasetQueries.of(() -> TensorPlans.scatterIntoZeros(changes, options, how), updates);
  }
}

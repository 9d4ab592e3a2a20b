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
 * The table function {@code scatter_nd} for Datasets: a tensor of zeros after updates.
 *
 * <pre>{@code
 * Dataset<Row> counts = ScatterNd.of(events, Shape.of(1_000_000)).toDataset();
 * }</pre>
 *
 * Immutable. The rule is that of TensorFlow's {@code tf.scatter_nd}.
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
   * Updates of one slice are added up; strings are joined.
   *
   * @param updates {@code k} index columns, and a value column of slices {@code shape[k:]}, last
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

  /** Another reduction, with its policies; it starts from zeros, too. */
  public ScatterNd reducedBy(Scatter other) {
    return with(other);
  }

  /** The dtype of the tensor; left out, that of the value column's SQL type. */
  public ScatterNd withDType(DType dtype) {
    return with(options.withDType(dtype));
  }

  /** The index columns of the updates, outermost dimension first; any number up to the rank. */
  public ScatterNd withIndexColumns(String... columns) {
    return with(options.withIndexColumns(columns));
  }

  /** The value column of the updates. */
  public ScatterNd withValueColumn(String column) {
    return with(options.withValueColumn(column));
  }

  /** Columns of the updates that say which of several to one slice comes first. */
  public ScatterNd orderedBy(String... columns) {
    return with(options.orderedBy(columns));
  }

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
   * All slices of the tensor, a row each: bigint index columns and a value column named as those of
   * the updates. Computed when it is used; bad rows are an error then, before any row comes out.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns, shape and options do not go together
   */
  public Dataset<Row> toDataset() {
    TableArgument changes = DatasetQueries.table("updates", updates);
    return DatasetQueries.of(() -> TensorPlans.scatterIntoZeros(changes, options, how), updates);
  }
}

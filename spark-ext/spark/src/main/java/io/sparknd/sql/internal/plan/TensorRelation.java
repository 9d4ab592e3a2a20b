/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.internal.plan;

import io.sparknd.cluster.internal.tables.SliceRange;
import io.sparknd.cluster.internal.tables.TableQuery;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.FoldListener;
import io.sparknd.op.Gather;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.types.StructType;

/**
 * A tensor at one version, stored in a table of its own and read block by block. Table formats
 * implement it; {@link TensorRelationProvider} finds it in a plan.
 *
 * <p>{@code equals} compares the table and the version. {@code toString} is the text in plans and
 * messages.
 */
public interface TensorRelation extends Serializable {

  DType dtype();

  Shape shape();

  /**
   * Returns the schema: bigint index columns, outermost dimension first, then one column of slices.
   */
  StructType schema();

  /**
   * Returns the rows of {@code indices}, each with its slice in one more column.
   *
   * @param indices must not have a column with the name of the slice column in {@link #schema}
   * @param indexColumns of {@code indices}, outermost dimension first
   * @throws io.sparknd.tensor.SparkNdException if an index is out of bounds and {@code how} does
   *     not allow it
   */
  TableQuery gather(
      SparkSession spark, Gather how, Dataset<Row> indices, List<String> indexColumns);

  /**
   * Returns slices of the tensor after the updates, one per row. The table is not changed.
   *
   * @param range the slices to return; blocks of the table that hold no slice of it are not read
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#scatter(Scatter, Dataset, TensorColumns)}
   */
  TableQuery scatter(
      SparkSession spark,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      SliceRange range,
      FoldListener listener);
}

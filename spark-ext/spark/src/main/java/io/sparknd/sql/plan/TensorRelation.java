/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.sql.plan;

import io.sparknd.cluster.FoldListener;
import io.sparknd.cluster.TableQuery;
import io.sparknd.cluster.TensorColumns;
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
 * A tensor at one version, in a table of its own that is read block by block. Table formats
 * implement it; {@link TensorRelationProvider} finds it in a plan.
 *
 * <p>{@code equals} says whether two are the same version of the same table; {@code toString} is
 * what plans and messages show.
 */
public interface TensorRelation extends Serializable {

  DType dtype();

  Shape shape();

  /** Index columns of bigint, outermost dimension first, and one column of slices. */
  StructType schema();

  /**
   * The rows of {@code indices}, each with its slice in one more column.
   *
   * @param indices without a column of the name that slices have in {@link #schema}
   * @param indexColumns of {@code indices}, outermost dimension first
   * @throws io.sparknd.tensor.SparkNdException if an index is out of bounds and {@code how} does
   *     not allow it
   */
  TableQuery gather(
      SparkSession spark, Gather how, Dataset<Row> indices, List<String> indexColumns);

  /**
   * All slices of the tensor after the updates, a row each; the table is not changed.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#scatter(Scatter, Dataset, TensorColumns)}
   */
  TableQuery scatter(
      SparkSession spark,
      Scatter how,
      Dataset<Row> updates,
      TensorColumns columns,
      FoldListener listener);
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.SliceLookup;
import io.sparknd.cluster.internal.rows.IndexColumns;
import io.sparknd.cluster.internal.rows.RowErrors;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.op.Gather;
import io.sparknd.op.IndexPlan;
import io.sparknd.op.Indexing;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;

/**
 * A gather by the rows of a Dataset from a tensor stored outside the memory of executors. Rows are
 * shuffled to the tasks that own their slices, and these tasks look the slices up.
 */
public record StoredTensorGather(SparkSession spark, DType dtype, Shape shape, Source source) {

  /** The storage of the slices. */
  public interface Source extends Serializable {
    /** Returns how slices of a shape are distributed over tasks; each slice must be one piece. */
    Pieces pieces(Shape slice);

    /** Opens the slices that the task of {@code partition} owns. */
    SliceLookup open(int partition, Pieces pieces);
  }

  /**
   * Returns the rows with their slices.
   *
   * @throws io.sparknd.tensor.SparkNdException as {@link
   *     io.sparknd.cluster.DistributedTensor#gather(Gather, Dataset, List)}
   */
  public Dataset<Row> run(Gather how, Dataset<Row> rows, List<String> indexColumns) {
    SliceJoin join = join(plan(indexColumns), how, rows);
    return InternalRows.toDataset(spark, joined(how, rows, indexColumns), join.schema());
  }

  /**
   * Returns the rows with their slices as internal rows; each is valid only until the next is read.
   */
  public JavaRDD<InternalRow> joined(Gather how, Dataset<Row> rows, List<String> indexColumns) {
    IndexPlan plan = plan(indexColumns);
    SliceJoin join = join(plan, how, rows);
    IndexColumns indices =
        IndexColumns.of(rows, indexColumns, new TupleOffset(plan, how.indices()));
    try {
      JavaRDD<InternalRow> joined = joined(rows, indices, join);
      GatherLog.add(dtype.toString() + shape + " in a table", "slices where they are stored");
      return joined;
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private IndexPlan plan(List<String> indexColumns) {
    return Indexing.tuples().plan(shape, Shape.of(0, indexColumns.size()));
  }

  private SliceJoin join(IndexPlan plan, Gather how, Dataset<Row> rows) {
    return SliceJoin.of(dtype, plan.slice(), source.pieces(plan.slice()), how, rows);
  }

  private JavaRDD<InternalRow> joined(Dataset<Row> rows, IndexColumns indices, SliceJoin join) {
    JavaRDD<InternalRow> indexRows = InternalRows.of(rows);
    if (indexRows.getNumPartitions() == 0) {
      return indexRows;
    }
    RowErrors rowErrors = RowErrors.registered(spark, shape.first(indices.ordinals().size()));
    Source from = source;
    return ShuffledIndices.sent(indexRows, indices, join.pieces(), rowErrors)
        .mapPartitionsWithIndex(
            (partition, batches) -> join.joined(from.open(partition, join.pieces()), batches),
            false);
  }
}

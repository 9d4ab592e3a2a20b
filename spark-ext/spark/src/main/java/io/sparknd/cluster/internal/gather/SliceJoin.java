/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.SliceAppender;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.partition.ConstantArrays;
import io.sparknd.cluster.internal.partition.PieceLookup;
import io.sparknd.cluster.internal.partition.SliceLookup;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.rows.RowColumns;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.cluster.internal.spark.ColumnNameMatcher;
import io.sparknd.op.BadIndices;
import io.sparknd.op.Gather;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import java.io.Serializable;
import java.util.Iterator;
import java.util.List;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;
import org.jspecify.annotations.Nullable;

/**
 * Describes how tasks append slices to rows.
 *
 * @param rows columns of the index rows
 * @param slice shape of a slice
 * @param fill value for tuples without a slice; null for zero, false or ""
 * @param pieces the slices in the tensor's blocks
 */
record SliceJoin(StructType rows, DType dtype, Shape slice, @Nullable Object fill, Pieces pieces)
    implements Serializable {

  /**
   * Creates the join after checking that it is possible.
   *
   * @throws io.sparknd.tensor.SparkNdException if the rows already have a column {@link
   *     RowColumns#VALUE}, a slice is too large for a row, or the fill value of {@code how} is not
   *     one of the dtype
   */
  static SliceJoin of(DType dtype, Shape slice, Pieces pieces, Gather how, Dataset<Row> rows) {
    if (ColumnNameMatcher.in(rows).contains(List.of(rows.columns()), RowColumns.VALUE)) {
      throw ClusterErrors.columnTaken(RowColumns.VALUE);
    }
    if (slice.elements() > Storage.MAX_LENGTH / dtype.units()) {
      throw ClusterErrors.sliceTooLargeForRow(slice, dtype);
    }
    @Nullable Object fill =
        how.indices().bad() instanceof BadIndices.Fill policy ? policy.value(dtype) : null;
    ConstantArrays.array(dtype, fill, 1);
    return new SliceJoin(rows.schema(), dtype, slice, fill, pieces);
  }

  private DataType type() {
    return SqlTypes.slice(dtype, slice.rank());
  }

  /** Returns the schema of the result. */
  StructType schema() {
    return rows.add(RowColumns.VALUE, type(), false);
  }

  SliceAppender appender() {
    return SliceAppender.of(rows, type(), dtype, slice);
  }

  /** Returns {@code slices} slices of the fill value. */
  Object filled(int slices) {
    return ConstantArrays.array(dtype, fill, slices * (int) slice.elements());
  }

  /** Joins index rows with slices in the partition that owns the slices. */
  Iterator<InternalRow> joined(Iterator<TensorPartition> owner, Iterator<ShuffleBatch> batches) {
    return joined(new PieceLookup(TensorPartition.only(owner), pieces), batches);
  }

  /** Joins index rows with slices that {@code owner} looks up. */
  Iterator<InternalRow> joined(SliceLookup owner, Iterator<ShuffleBatch> batches) {
    return new PartitionSliceJoin(batches, owner, appender(), filled(1));
  }
}

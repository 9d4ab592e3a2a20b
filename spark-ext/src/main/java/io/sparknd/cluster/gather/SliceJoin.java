/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.gather;

import io.sparknd.cluster.SqlTypes;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.layout.BlockLayout.Pieces;
import io.sparknd.cluster.layout.Fills;
import io.sparknd.cluster.layout.PieceLookup;
import io.sparknd.cluster.layout.TensorPartition;
import io.sparknd.cluster.rows.RowColumns;
import io.sparknd.cluster.spark.SliceAppender;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.io.Serializable;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.StructType;

/**
 * How rows get their slices, for tasks to do.
 *
 * @param rows columns of the index rows
 * @param slice shape of a slice
 * @param fill value for tuples that name no slice; null for zero, false or ""
 * @param pieces how slices lie in the tensor's blocks
 */
record SliceJoin(StructType rows, DType dtype, Shape slice, Object fill, Pieces pieces)
    implements Serializable {
  private DataType type() {
    return SqlTypes.slice(dtype, slice.rank());
  }

  /** Columns of the rows that come out. */
  StructType schema() {
    return rows.add(RowColumns.VALUE, type(), false);
  }

  SliceAppender appender() {
    return SliceAppender.of(rows, type(), dtype, slice);
  }

  /** The fill value in {@code slices} slices. */
  Object filled(int slices) {
    return Fills.array(dtype, fill, slices * (int) slice.elements());
  }

  /** Index rows that have come to the partition that owns their slices. */
  Iterator<InternalRow> joined(Iterator<TensorPartition> owner, Iterator<UpdateBatch> batches) {
    PieceLookup slices = new PieceLookup(TensorPartition.only(owner), pieces);
    return new OwnedJoin(batches, slices, appender(), filled(1));
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.ClusterErrors;
import io.sparknd.cluster.internal.columnar.InternalRows;
import io.sparknd.cluster.internal.columnar.SliceRow;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.rows.RowColumns;
import io.sparknd.cluster.internal.scatter.LayoutShuffle;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Iterator;
import java.util.NoSuchElementException;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** Iterates over the slices of a partition as rows, each valid only until the next is read. */
public final class SliceRows implements Iterator<InternalRow> {
  private final TensorPartition partition;
  private final BlockLayout layout;
  private final Shape outer;
  private final SliceRow row;
  private final int units;
  private long[] index = {};
  private int next;
  private Object block = new byte[0];
  private int unit;
  private int end;

  /**
   * @param units units of a slice; every block holds a whole number of slices
   */
  private SliceRows(
      TensorPartition partition, BlockLayout layout, int depth, int units, SliceRow row) {
    this.partition = partition;
    this.layout = layout;
    this.outer = layout.shape().first(depth);
    this.row = row;
    this.units = units;
  }

  public static Dataset<Row> of(TensorBlocks tensor, int depth) {
    JavaRDD<InternalRow> rows = rows(tensor, depth);
    return InternalRows.toDataset(
        tensor.spark(), rows, schema(tensor.dtype(), tensor.shape(), depth));
  }

  /** Returns the slices as internal rows. */
  public static JavaRDD<InternalRow> rows(TensorBlocks tensor, int depth) {
    Shape shape = tensor.shape();
    if (depth < 0 || depth > shape.rank()) {
      throw ClusterErrors.depthOutOfRange(depth, shape);
    }
    StructType schema = schema(tensor.dtype(), shape, depth);
    return shape.elements() == 0
        ? emptySlices(tensor, schema, depth)
        : slices(tensor, schema, depth);
  }

  private static StructType schema(DType dtype, Shape shape, int depth) {
    StructType schema = new StructType();
    for (int d = 0; d < depth; d++) {
      schema = schema.add("i" + d, DataTypes.LongType, false);
    }
    return schema.add(RowColumns.VALUE, SqlTypes.slice(dtype, shape.rank() - depth), false);
  }

  private static JavaRDD<InternalRow> slices(TensorBlocks tensor, StructType schema, int depth) {
    Shape slice = tensor.shape().from(depth);
    TensorBlocks whole = withWholeSlices(tensor, slice);
    BlockLayout layout = whole.layout();
    int units = (int) slice.elements() * layout.dtype().units();
    return whole
        .rdd()
        .mapPartitions(
            partitions ->
                new SliceRows(
                    TensorPartition.only(partitions),
                    layout,
                    depth,
                    units,
                    new SliceRow(schema, layout.dtype(), slice)));
  }

  /** Returns the tensor in blocks that no slice crosses; uncached, since nobody could close it. */
  private static TensorBlocks withWholeSlices(TensorBlocks tensor, Shape slice) {
    if (slice.elements() <= tensor.layout().rowElements()) {
      return tensor;
    }
    long bytes = slice.elements() * BlockLayout.elementBytes(tensor.dtype());
    if (bytes > Integer.MAX_VALUE) {
      throw ClusterErrors.sliceTooLargeForRow(slice, tensor.dtype());
    }
    Partitioning whole = tensor.layout().partitioning().withBlockBytes((int) bytes);
    return LayoutShuffle.moved(
        tensor, TensorSource.layout(tensor.spark(), tensor.dtype(), tensor.shape(), whole));
  }

  /** Returns the rows of slices without elements. */
  private static JavaRDD<InternalRow> emptySlices(
      TensorBlocks tensor, StructType schema, int depth) {
    DType dtype = tensor.dtype();
    Shape outer = tensor.shape().first(depth);
    Shape slice = tensor.shape().from(depth);
    Object nothing = dtype.storage().allocate(0);
    return InternalRows.of(tensor.spark().range(outer.elements()).toDF())
        .map(
            number ->
                new SliceRow(schema, dtype, slice)
                    .of(outer.coordinates(number.getLong(0)), nothing, 0));
  }

  @Override
  public boolean hasNext() {
    return unit < end || next < partition.blocks().length;
  }

  @Override
  public InternalRow next() {
    if (unit < end) {
      step();
    } else {
      open();
    }
    InternalRow filled = row.of(index, block, unit);
    unit += units;
    return filled;
  }

  private void open() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    long first = layout.firstElement(partition.index(), next);
    index = outer.coordinates(first / (units / layout.dtype().units()));
    block = partition.blocks()[next++];
    unit = 0;
    end = layout.dtype().storage().length(block);
  }

  /** Advances to the next index in row-major order. */
  private void step() {
    int d = index.length - 1;
    while (++index[d] == outer.dim(d)) {
      index[d--] = 0;
    }
  }
}

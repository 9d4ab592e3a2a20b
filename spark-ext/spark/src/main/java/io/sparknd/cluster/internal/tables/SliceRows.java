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
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.RddPartitionSubset;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Set;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
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
  private final SliceRange range;
  private long[] index = {};
  private int next;
  private Object block = new byte[0];
  private int unit;
  private int end;

  /**
   * @param units units of a slice; every block holds a whole number of slices
   * @param range the slices to return
   */
  private SliceRows(
      TensorPartition partition,
      BlockLayout layout,
      int depth,
      int units,
      SliceRow row,
      SliceRange range) {
    this.partition = partition;
    this.layout = layout;
    this.outer = layout.shape().first(depth);
    this.row = row;
    this.units = units;
    this.range = range;
    skipBlocks();
  }

  public static Dataset<Row> of(TensorBlocks tensor, int depth) {
    JavaRDD<InternalRow> rows = rows(tensor, depth, SliceRange.ALL);
    return InternalRows.toDataset(
        tensor.spark(), rows, schema(tensor.dtype(), tensor.shape(), depth));
  }

  /** Returns the slices in {@code range} as internal rows; blocks of others are not computed. */
  public static JavaRDD<InternalRow> rows(TensorBlocks tensor, int depth, SliceRange range) {
    Shape shape = tensor.shape();
    if (depth < 0 || depth > shape.rank()) {
      throw ClusterErrors.depthOutOfRange(depth, shape);
    }
    StructType schema = schema(tensor.dtype(), shape, depth);
    return shape.elements() == 0
        ? emptySlices(tensor, schema, depth, range)
        : slices(tensor, schema, depth, range);
  }

  private static StructType schema(DType dtype, Shape shape, int depth) {
    StructType schema = new StructType();
    for (int d = 0; d < depth; d++) {
      schema = schema.add("i" + d, DataTypes.LongType, false);
    }
    return schema.add(RowColumns.VALUE, SqlTypes.slice(dtype, shape.rank() - depth), false);
  }

  private static JavaRDD<InternalRow> slices(
      TensorBlocks tensor, StructType schema, int depth, SliceRange range) {
    Shape slice = tensor.shape().from(depth);
    TensorBlocks whole = withWholeSlices(tensor, slice);
    BlockLayout layout = whole.layout();
    return PartitionTasks.of(
        partitions(whole, slice.elements(), range), new Task(layout, depth, schema, slice, range));
  }

  /** The task that returns the slices of a partition. */
  private record Task(
      BlockLayout layout, int depth, StructType schema, Shape slice, SliceRange range)
      implements FlatMapFunction<Iterator<TensorPartition>, InternalRow> {
    @Override
    public Iterator<InternalRow> call(Iterator<TensorPartition> partitions) {
      return new SliceRows(
          TensorPartition.only(partitions),
          layout,
          depth,
          (int) slice.elements() * layout.dtype().units(),
          new SliceRow(schema, layout.dtype(), slice),
          range);
    }
  }

  /** Returns the partitions that hold slices of {@code range}. */
  private static JavaRDD<TensorPartition> partitions(
      TensorBlocks tensor, long sliceElements, SliceRange range) {
    Set<Integer> partitions = range.partitions(tensor.layout(), sliceElements);
    return partitions.size() == tensor.layout().partitions()
        ? tensor.rdd()
        : RddPartitionSubset.only(tensor.rdd(), partitions);
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
      TensorBlocks tensor, StructType schema, int depth, SliceRange range) {
    DType dtype = tensor.dtype();
    Shape outer = tensor.shape().first(depth);
    Shape slice = tensor.shape().from(depth);
    Object nothing = dtype.storage().allocate(0);
    long end = Math.min(range.end(), outer.elements());
    return InternalRows.of(tensor.spark().range(Math.min(range.first(), end), end).toDF())
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
    long first = firstSlice(next);
    long skipped = Math.max(0, range.first() - first);
    index = outer.coordinates(first + skipped);
    block = partition.blocks()[next];
    unit = (int) skipped * units;
    end = (int) Math.min(slicesIn(next), range.end() - first) * units;
    next++;
    skipBlocks();
  }

  private void skipBlocks() {
    while (next < partition.blocks().length
        && !range.meets(firstSlice(next), firstSlice(next) + slicesIn(next))) {
      next++;
    }
  }

  /** Returns the number of the first slice in a block. */
  private long firstSlice(int local) {
    return layout.firstElement(partition.index(), local) / (units / layout.dtype().units());
  }

  private long slicesIn(int local) {
    return layout.dtype().storage().length(partition.blocks()[local]) / units;
  }

  /** Advances to the next index in row-major order. */
  private void step() {
    int d = index.length - 1;
    while (++index[d] == outer.dim(d)) {
      index[d--] = 0;
    }
  }
}

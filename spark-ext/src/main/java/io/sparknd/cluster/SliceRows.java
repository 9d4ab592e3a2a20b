/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.spark.InternalRows;
import io.sparknd.cluster.spark.SliceWriter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.NdErrors;
import io.sparknd.tensor.Shape;
import java.util.Iterator;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/** A tensor as rows of index columns and slices. */
final class SliceRows {
  private SliceRows() {}

  static Dataset<Row> of(DistributedTensor tensor, int depth) {
    Shape shape = tensor.shape();
    if (depth < 0 || depth > shape.rank()) {
      throw NdErrors.depthOutOfRange(depth, shape);
    }
    StructType schema = new StructType();
    for (int d = 0; d < depth; d++) {
      schema = schema.add("i" + d, DataTypes.LongType, false);
    }
    schema =
        schema.add(RowGather.VALUE, SqlTypes.slice(tensor.dtype(), shape.rank() - depth), false);
    JavaRDD<InternalRow> rows =
        shape.elements() == 0 ? emptySlices(tensor, depth) : slices(tensor, depth);
    return InternalRows.toDataset(tensor.spark(), rows, schema);
  }

  private static JavaRDD<InternalRow> slices(DistributedTensor tensor, int depth) {
    Shape outer = tensor.shape().first(depth);
    Shape slice = tensor.shape().from(depth);
    DistributedTensor whole = withWholeSlices(tensor, slice);
    BlockLayout layout = whole.layout();
    SliceWriter writer = new SliceWriter(tensor.dtype(), slice);
    int elements = (int) slice.elements();
    return whole
        .rdd()
        .mapPartitions(
            partitions -> rows(TensorPartition.only(partitions), layout, outer, elements, writer));
  }

  /** The tensor in blocks that no slice crosses. */
  private static DistributedTensor withWholeSlices(DistributedTensor tensor, Shape slice) {
    if (slice.elements() <= tensor.layout().rowElements()) {
      return tensor;
    }
    long bytes = slice.elements() * BlockLayout.elementBytes(tensor.dtype());
    if (bytes > Integer.MAX_VALUE) {
      throw NdErrors.sliceTooLargeForRow(slice, tensor.dtype());
    }
    return Relayout.run(tensor, tensor.layout().partitioning().withBlockBytes((int) bytes));
  }

  private static Iterator<InternalRow> rows(
      TensorPartition partition,
      BlockLayout layout,
      Shape outer,
      int elements,
      SliceWriter writer) {
    DType dtype = layout.dtype();
    return IntStream.range(0, partition.blocks().length)
        .boxed()
        .flatMap(
            local -> {
              long block = layout.block(partition.index(), local);
              long first = layout.firstElement(block) / elements;
              return IntStream.range(0, layout.elementsIn(block) / elements)
                  .mapToObj(
                      i ->
                          row(
                              outer.coordinates(first + i),
                              writer.value(
                                  partition.blocks()[local], i * elements * dtype.units())));
            })
        .iterator();
  }

  private static InternalRow row(long[] index, Object value) {
    return InternalRows.row(
        Stream.concat(LongStream.of(index).boxed(), Stream.of(value)).toArray());
  }

  /** Slices without elements still have their rows. */
  private static JavaRDD<InternalRow> emptySlices(DistributedTensor tensor, int depth) {
    Shape outer = tensor.shape().first(depth);
    SliceWriter writer = new SliceWriter(tensor.dtype(), tensor.shape().from(depth));
    Object nothing = tensor.dtype().storage().allocate(0);
    SparkSession spark = tensor.spark();
    return InternalRows.of(spark.range(outer.elements()).toDF())
        .map(row -> row(outer.coordinates(row.getLong(0)), writer.value(nothing, 0)));
  }
}

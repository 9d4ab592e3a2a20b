/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.tables;

import io.sparknd.cluster.internal.columnar.SliceRow;
import io.sparknd.cluster.internal.columnar.SqlTypes;
import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.cluster.internal.partition.TensorBlocks;
import io.sparknd.cluster.internal.partition.TensorPartition;
import io.sparknd.cluster.internal.partition.TensorSource;
import io.sparknd.cluster.internal.rows.SliceSet;
import io.sparknd.cluster.internal.scatter.FoldOptions;
import io.sparknd.cluster.internal.scatter.TensorScatter;
import io.sparknd.cluster.internal.shuffle.ShuffledUpdates;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.cluster.options.TensorColumns;
import io.sparknd.metrics.FoldListener;
import io.sparknd.op.Duplicates;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Tensor;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.sql.SparkSession;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StructType;

/**
 * Scatters into a few slices of a tensor. One job sends their updates and, at the same time, one
 * reads these slices from the tensor's table; one task then folds them. The result has the bits
 * that a scatter into the whole tensor gives: each slice gets the same updates in the same order.
 *
 * @param shape of the whole tensor
 * @param columns columns of the updates, whose index columns are those of the result
 */
record FewSliceScatter(
    SparkSession spark, DType dtype, Shape shape, TensorColumns columns, SliceSet slices) {

  /**
   * Runs the jobs.
   *
   * @param before plans to read the slices as they are before the updates, and reads them, while
   *     tasks send the updates
   */
  TableQuery run(
      Scatter how, Dataset<Row> updates, Supplier<Tensor> before, FoldListener listener) {
    Partitioning one = Partitioning.of(1).withBlockBytes(blockBytes());
    BlockLayout layout =
        TensorSource.layout(spark, dtype, Shape.of(slices.count()).concat(slice()), one);
    ShuffledUpdates sent =
        ShuffledUpdates.of(
            new ShuffledUpdates.Target(
                spark, dtype, shape, SparkNdSetting.KERNEL.in(spark), slices),
            how,
            updates,
            columns,
            layout::pieces);
    Tensor tensor = sent.runMapSideDuring(before);
    TensorScatter scatter =
        TensorScatter.of(
            TensorSource.local(spark, tensor, one),
            how,
            sent,
            new FoldOptions(FoldOptions.Blocks.COPY_ON_WRITE, listener));
    // a duplicate that is an error is found by the fold
    boolean isRun = how.duplicates() == Duplicates.ERROR;
    TensorBlocks next = isRun ? scatter.run() : scatter.afterMapSide();
    return new TableQuery(
        rows(next), Optional.ofNullable(next.metrics()), isRun ? List.of(next.rdd()) : List.of());
  }

  private int depth() {
    return columns.indices().size();
  }

  private Shape slice() {
    return shape.from(depth());
  }

  /** Returns the bytes of a block that holds at least one slice. */
  private int blockBytes() {
    return (int) Math.max(4 << 10, slice().elements() * BlockLayout.elementBytes(dtype));
  }

  private JavaRDD<InternalRow> rows(TensorBlocks tensor) {
    StructType schema = new StructType();
    for (int d = 0; d < depth(); d++) {
      schema = schema.add("i" + d, DataTypes.LongType, false);
    }
    StructType rows = schema.add("value", SqlTypes.slice(dtype, slice().rank()), false);
    return PartitionTasks.of(
        tensor.rdd(), new RowTask(tensor.layout(), slices, shape.first(depth()), rows, slice()));
  }

  /** The task that returns slices as rows. */
  private record RowTask(
      BlockLayout layout, SliceSet slices, Shape outer, StructType schema, Shape slice)
      implements FlatMapFunction<Iterator<TensorPartition>, InternalRow> {
    @Override
    public Iterator<InternalRow> call(Iterator<TensorPartition> partitions) {
      return new FewSliceRows(
          TensorPartition.only(partitions),
          layout,
          slices,
          outer,
          new SliceRow(schema, layout.dtype(), slice),
          (int) slice.elements() * layout.dtype().units());
    }
  }
}

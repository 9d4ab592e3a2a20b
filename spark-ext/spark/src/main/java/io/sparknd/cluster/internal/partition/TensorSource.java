/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import io.sparknd.cluster.internal.spark.ClusterCores;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.options.Partitioning;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.api.java.function.FlatMapFunction;
import org.apache.spark.broadcast.Broadcast;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/** Creates tensors from data on the driver: one value, or a local tensor. */
public final class TensorSource {
  /** Up to this size of the whole tensor, a broadcast costs more than it saves. */
  private static final long WITH_TASKS_BYTES = 64 << 10;

  private TensorSource() {}

  public static TensorBlocks filled(
      SparkSession spark,
      DType dtype,
      Shape shape,
      @Nullable Object value,
      Partitioning partitioning) {
    return filled(spark, layout(spark, dtype, shape, partitioning), value);
  }

  /** Returns a tensor of {@code value}. It is not cached: recomputing is cheaper than a lookup. */
  public static TensorBlocks filled(
      SparkSession spark, BlockLayout layout, @Nullable Object value) {
    ConstantArrays.array(layout.dtype(), value, 1);
    JavaRDD<TensorPartition> rdd =
        PartitionTasks.of(numbers(spark, layout), new Filling(layout, value));
    return TensorBlocks.of(spark, layout, rdd);
  }

  /** The task that makes a partition, given its number. */
  private record Filling(BlockLayout layout, @Nullable Object value)
      implements FlatMapFunction<Iterator<Integer>, TensorPartition> {
    @Override
    public Iterator<TensorPartition> call(Iterator<Integer> numbers) {
      return List.of(TensorPartition.filled(layout, numbers.next(), value)).iterator();
    }
  }

  /**
   * Returns the elements of a local tensor. A small tensor travels in its tasks; a larger one in
   * one broadcast for each partition, so that no task description grows with the data.
   */
  public static TensorBlocks local(SparkSession spark, Tensor tensor, Partitioning partitioning) {
    BlockLayout layout = layout(spark, tensor.dtype(), tensor.shape(), partitioning);
    JavaSparkContext context = JavaSparkContext.fromSparkContext(spark.sparkContext());
    JavaRDD<TensorPartition> rdd =
        layout.bytes() <= WITH_TASKS_BYTES
            ? context.parallelize(partitions(tensor, layout), layout.partitions())
            : broadcast(spark, tensor, layout, context);
    return TensorBlocks.of(spark, layout, rdd);
  }

  private static List<TensorPartition> partitions(Tensor tensor, BlockLayout layout) {
    return IntStream.range(0, layout.partitions())
        .mapToObj(index -> partition(tensor, layout, index))
        .toList();
  }

  private static JavaRDD<TensorPartition> broadcast(
      SparkSession spark, Tensor tensor, BlockLayout layout, JavaSparkContext context) {
    List<Broadcast<TensorPartition>> parts = new ArrayList<>();
    for (int index = 0; index < layout.partitions(); index++) {
      parts.add(context.broadcast(partition(tensor, layout, index)));
    }
    return numbers(spark, layout).map(index -> parts.get(index).value());
  }

  private static TensorPartition partition(Tensor tensor, BlockLayout layout, int index) {
    Storage storage = tensor.dtype().storage();
    Object[] blocks = storage.allocateBlocks((int) layout.blocksIn(index));
    for (int local = 0; local < blocks.length; local++) {
      int from = (int) layout.firstElement(index, local) * tensor.dtype().units();
      int to = from + layout.unitsIn(index, local);
      blocks[local] = storage.copyOfRange(tensor.array(), from, to);
    }
    return TensorPartition.of(storage, index, blocks);
  }

  public static BlockLayout layout(
      SparkSession spark, DType dtype, Shape shape, Partitioning partitioning) {
    int parallelism = ClusterCores.of(spark);
    return BlockLayout.of(dtype, shape, partitioning, parallelism);
  }

  /** Returns the partition numbers of a layout, each in its own Spark partition. */
  public static JavaRDD<Integer> numbers(SparkSession spark, BlockLayout layout) {
    List<Integer> numbers = IntStream.range(0, layout.partitions()).boxed().toList();
    return JavaSparkContext.fromSparkContext(spark.sparkContext())
        .parallelize(numbers, layout.partitions());
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.partition;

import io.sparknd.cluster.internal.spark.SparkNdSetting;
import io.sparknd.metrics.ScatterMetrics;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;
import org.jspecify.annotations.Nullable;

/**
 * One version of a tensor: its session, layout and partitions, which a {@link
 * io.sparknd.cluster.DistributedTensor} wraps.
 *
 * @param version the number of scatters in the lineage
 * @param metrics the metrics of the scatter that made it; null if none did
 */
public record TensorBlocks(
    SparkSession spark,
    BlockLayout layout,
    JavaRDD<TensorPartition> rdd,
    int version,
    @Nullable ScatterMetrics metrics) {

  /** Returns blocks without earlier versions. */
  public static TensorBlocks of(
      SparkSession spark, BlockLayout layout, JavaRDD<TensorPartition> rdd) {
    return new TensorBlocks(spark, layout, rdd, 0, null);
  }

  /** Returns the next version, the result of a scatter on this one. */
  public TensorBlocks next(JavaRDD<TensorPartition> written, ScatterMetrics by) {
    return new TensorBlocks(spark, layout, written, version + 1, by);
  }

  /** Returns what was moved or gathered from this version, whose lineage it has. */
  public TensorBlocks derived(BlockLayout other, JavaRDD<TensorPartition> moved) {
    return new TensorBlocks(spark, other, moved, version, null);
  }

  public DType dtype() {
    return layout.dtype();
  }

  public Shape shape() {
    return layout.shape();
  }

  /** Returns the name of the kernel provider that the session selects. */
  public String kernel() {
    return SparkNdSetting.KERNEL.in(spark);
  }

  /** Returns dtype, shape and partitions, as in {@code float32[1000000, 64] in 8 partitions}. */
  @Override
  public String toString() {
    return dtype().toString() + shape() + " in " + layout.partitions() + " partitions";
  }
}

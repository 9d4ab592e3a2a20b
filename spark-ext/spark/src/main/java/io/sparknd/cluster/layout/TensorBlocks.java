/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.layout;

import io.sparknd.cluster.ScatterMetrics;
import io.sparknd.cluster.spark.SparkNdSetting;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.SparkSession;

/**
 * One version of a tensor, as its session and its partitions hold it: what a {@link
 * io.sparknd.cluster.DistributedTensor} wraps.
 *
 * @param version how many scatters made it from one that none made
 * @param metrics of the scatter that made it; null where none did
 */
public record TensorBlocks(
    SparkSession spark,
    BlockLayout layout,
    JavaRDD<TensorPartition> rdd,
    int version,
    ScatterMetrics metrics) {

  /** Blocks that no scatter made. */
  public static TensorBlocks of(
      SparkSession spark, BlockLayout layout, JavaRDD<TensorPartition> rdd) {
    return new TensorBlocks(spark, layout, rdd, 0, null);
  }

  /** The next version, which a scatter made of this one. */
  public TensorBlocks next(JavaRDD<TensorPartition> written, ScatterMetrics by) {
    return new TensorBlocks(spark, layout, written, version + 1, by);
  }

  public DType dtype() {
    return layout.dtype();
  }

  public Shape shape() {
    return layout.shape();
  }

  /** The kernel provider that the session asks for. */
  public String kernel() {
    return SparkNdSetting.KERNEL.in(spark);
  }

  /** Dtype, shape and partitions, as in {@code float32[1000000, 64] in 8 partitions}. */
  @Override
  public String toString() {
    return dtype().toString() + shape() + " in " + layout.partitions() + " partitions";
  }
}

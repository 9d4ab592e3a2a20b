/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * Creates the shards of mini-batches.
 *
 * @param <B> one shard's part of a mini-batch
 */
public interface ShardSource<B> {
  /** Returns an RDD with one shard per partition; partition and shard have the same number. */
  JavaRDD<BatchShard<B>> shards(JavaSparkContext context);
}

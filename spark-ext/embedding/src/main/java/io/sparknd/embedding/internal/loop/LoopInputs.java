/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.loop;

import io.sparknd.embedding.internal.rows.EmbeddingPartition;
import io.sparknd.embedding.internal.step.BatchShard;
import io.sparknd.embedding.internal.step.MessageKeys;
import io.sparknd.embedding.internal.step.ShardFunction;
import io.sparknd.embedding.internal.step.ShardSource;
import io.sparknd.embedding.internal.step.TrainedTable;
import java.util.List;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * What a {@link TrainingLoop} trains.
 *
 * @param begin the version that it begins with, which it does not change
 * @param tables tables in the order of their partitions
 */
public record LoopInputs<B>(
    JavaRDD<EmbeddingPartition> begin,
    List<TrainedTable> tables,
    JavaRDD<BatchShard<B>> shards,
    ShardFunction<B> function) {

  /**
   * Returns the inputs of a training of a version.
   *
   * @param <V> a table or a model
   */
  public static <V, B> LoopInputs<B> of(
      TrainedVersions<V> operations, V version, ShardSource<B> batches, ShardFunction<B> function) {
    JavaRDD<EmbeddingPartition> begin = operations.rdd(version);
    return new LoopInputs<>(
        begin,
        operations.tables(version),
        batches.shards(JavaSparkContext.fromSparkContext(begin.context())),
        function);
  }

  LoopInputs<B> from(JavaRDD<EmbeddingPartition> other) {
    return new LoopInputs<>(other, tables, shards, function);
  }

  JavaSparkContext context() {
    return JavaSparkContext.fromSparkContext(begin.context());
  }

  MessageKeys keys() {
    return new MessageKeys(tables.size(), shards.getNumPartitions());
  }

  /** Returns the number of partitions of each table. */
  int partitions() {
    return tables.get(0).directory().partitions();
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.ClosureBytes;
import io.sparknd.embedding.internal.TrainingErrors;
import io.sparknd.embedding.internal.step.BatchShard;
import io.sparknd.embedding.internal.step.ShardSource;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;

/**
 * A sequence of mini-batches, one for each training step.
 *
 * <p>A mini-batch consists of one part per shard. Shards run at the same time, in tasks, and the
 * gradients of a row are summed in shard order. The number of shards therefore affects the result:
 * a different number may round sums differently. The number of table partitions has no such effect.
 * Mini-batches of a Dataset come from a {@link TrainingFeed}.
 *
 * @param <B> one shard's part of a mini-batch
 */
public final class Batches<B> {
  private final ShardSource<B> source;

  private Batches(ShardSource<B> source) {
    this.source = source;
  }

  /**
   * Generates a shard's part of a mini-batch. The result must depend only on the arguments.
   *
   * @param <B> one shard's part of a mini-batch
   */
  public interface Generator<B> extends Serializable {
    /**
     * Returns the part of {@code shard} in the mini-batch of {@code step}.
     *
     * @param step counted from 0 since the table was created
     * @param shard number of the shard, from 0
     */
    B batch(long step, int shard);
  }

  /**
   * Returns mini-batches that are generated in the tasks.
   *
   * @param shards parts of a mini-batch, at least 1
   * @throws io.sparknd.tensor.SparkNdException if {@code shards} is below 1
   */
  public static <B> Batches<B> generated(int shards, Generator<B> generator) {
    if (shards < 1) {
      throw TrainingErrors.noShards(shards);
    }
    return new Batches<>(
        context -> {
          byte[] bytes = ClosureBytes.of(generator);
          return context
              .parallelize(IntStream.range(0, shards).boxed().toList(), shards)
              .map(shard -> generated(shard, bytes));
        });
  }

  /** Returns a shard with a generator of its own. */
  private static <B> BatchShard<B> generated(int shard, byte[] bytes) {
    Generator<B> generator = ClosureBytes.read(bytes, Generator.class);
    return step -> generator.batch(step, shard);
  }

  /**
   * Returns mini-batches from the elements of an RDD: each partition is a shard, and step {@code s}
   * uses element {@code s} of each partition, starting over after the last one. Every job reads its
   * partitions from the beginning, so cache the RDD ({@code cache()}).
   *
   * <p>A partition must have the same elements in the same order every time Spark computes it. If
   * the ids of a mini-batch change after its rows were requested, a training by shuffles fails. In
   * local mode and in the barrier jobs of a cluster, a mini-batch is made once for both: there they
   * may change from job to job. In local mode one task computes several partitions: take their
   * number from {@code mapPartitionsWithIndex}, not from {@code TaskContext}.
   */
  public static <B> Batches<B> of(JavaRDD<B> batches) {
    return new Batches<>(
        context ->
            batches.mapPartitions(
                elements -> {
                  List<B> all = new ArrayList<>();
                  elements.forEachRemaining(all::add);
                  return List.<BatchShard<B>>of(step -> element(all, step)).iterator();
                }));
  }

  /** Returns mini-batches of shards that {@code source} creates. */
  static <B> Batches<B> ofShards(ShardSource<B> source) {
    return new Batches<>(source);
  }

  static <B> B element(List<B> all, long step) {
    if (all.isEmpty()) {
      throw TrainingErrors.emptyShard();
    }
    return all.get((int) (step % all.size()));
  }

  /**
   * Returns an RDD with one shard per partition; partition number and shard number are the same.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no partition
   */
  JavaRDD<BatchShard<B>> shards(JavaSparkContext context) {
    JavaRDD<BatchShard<B>> shards = source.shards(context);
    if (shards.getNumPartitions() == 0) {
      throw TrainingErrors.emptyShard();
    }
    return shards;
  }
}

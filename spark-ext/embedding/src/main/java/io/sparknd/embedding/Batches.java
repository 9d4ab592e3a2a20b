/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * A sequence of mini-batches, one for each training step.
 *
 * <p>A mini-batch consists of one part per shard. Each shard runs in its own task, and the
 * gradients of a row are summed in shard order. The number of shards therefore affects the result:
 * a different number may round sums differently. The number of table partitions has no such effect.
 *
 * @param <B> one shard's part of a mini-batch
 */
public final class Batches<B> {
  private final Source<B> source;

  private Batches(Source<B> source) {
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
      throw EmbeddingErrors.noShards(shards);
    }
    return new Batches<>(
        context ->
            context
                .parallelize(IntStream.range(0, shards).boxed().toList(), shards)
                .map(shard -> step -> generator.batch(step, shard)));
  }

  /**
   * Returns mini-batches from the elements of an RDD: each partition is a shard, and step {@code s}
   * uses element {@code s} of each partition, starting over after the last one. Every job reads its
   * partitions from the beginning, so cache the RDD ({@code cache()}).
   *
   * <p>A partition must have the same elements in the same order every time Spark computes it. If
   * the ids of a mini-batch change after its rows were requested, the training fails.
   */
  public static <B> Batches<B> of(JavaRDD<B> batches) {
    return new Batches<>(
        context ->
            batches.mapPartitions(
                elements -> {
                  List<B> all = new ArrayList<>();
                  elements.forEachRemaining(all::add);
                  return List.<Shard<B>>of(step -> element(all, step)).iterator();
                }));
  }

  /**
   * Returns mini-batches from the rows of a table or query. The rows stay persisted in memory and
   * on disk while the mini-batches are in use. Each partition of {@code rows} is a shard, which
   * contributes {@code size} rows to a mini-batch, in their order. The last mini-batch before a
   * shard starts over may have fewer.
   *
   * <p>Spark preserves the order of rows read from files, but not of shuffled rows. If a lost
   * partition is recomputed in another order, the training fails; on a cluster, two copies of each
   * partition are therefore stored. {@link #of(Dataset, int, List)} needs no second copy.
   *
   * @param size rows per shard and mini-batch, at least 1
   * @throws io.sparknd.tensor.SparkNdException if {@code size} is below 1; during training, if a
   *     partition has no rows, or is recomputed with other rows or in another order
   */
  public static Batches<List<Row>> of(Dataset<Row> rows, int size) {
    return new Batches<>(RowBatches.inRowOrder(rows, positive(size)));
  }

  /**
   * Returns mini-batches from the rows of a table or query, with each partition sorted by columns.
   * Rows that are equal in all of these are sorted by their other columns, from left to right. A
   * lost partition is therefore recomputed identically if it has the same rows, as it does after
   * {@code repartition(n)} and {@code repartition(n, column)}.
   *
   * @param size rows per shard and mini-batch, at least 1
   * @param orderBy at least one column, ascending
   * @throws io.sparknd.tensor.SparkNdException if {@code size} is below 1, or a column is missing;
   *     during training, if a partition has no rows, or is recomputed with other rows
   */
  public static Batches<List<Row>> of(Dataset<Row> rows, int size, List<String> orderBy) {
    return new Batches<>(RowBatches.ordered(rows, positive(size), orderBy));
  }

  private static int positive(int size) {
    if (size < 1) {
      throw EmbeddingErrors.badTraining("size", size);
    }
    return size;
  }

  static <B> B element(List<B> all, long step) {
    if (all.isEmpty()) {
      throw EmbeddingErrors.emptyShard();
    }
    return all.get((int) (step % all.size()));
  }

  /**
   * Returns an RDD with one shard per partition; partition number and shard number are the same.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no partition
   */
  JavaRDD<Shard<B>> shards(JavaSparkContext context) {
    JavaRDD<Shard<B>> shards = source.shards(context);
    if (shards.getNumPartitions() == 0) {
      throw EmbeddingErrors.emptyShard();
    }
    return shards;
  }

  /** One shard's parts of all mini-batches. */
  interface Shard<B> extends Serializable {
    B batch(long step);
  }

  /** Creates the RDD of shards. */
  interface Source<B> {
    JavaRDD<Shard<B>> shards(JavaSparkContext context);
  }
}

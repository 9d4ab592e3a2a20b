/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.api.java.JavaSparkContext;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Mini-batches, step after step. Each consists of as many parts as there are shards; every shard
 * has a task of its own, and gradients of a row are summed in the order of the shards. So the
 * shards, unlike the partitions of the table, belong to what is computed: another number of them
 * may round sums otherwise.
 *
 * @param <B> one shard's part of a mini-batch
 */
public final class Batches<B> {
  private final Source<B> source;

  private Batches(Source<B> source) {
    this.source = source;
  }

  /**
   * Makes a shard's part of a mini-batch. Must depend on nothing but its arguments.
   *
   * @param <B> what it makes
   */
  public interface Generator<B> extends Serializable {
    /**
     * @param step counted from 0 since the table was made
     * @param shard from 0
     */
    B batch(long step, int shard);
  }

  /**
   * Mini-batches that tasks make themselves.
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
   * Mini-batches from the elements of an RDD: each partition is a shard, and step {@code s} takes
   * element {@code s} of each, from the first one again after the last. Tasks go through their
   * partition from its beginning in every job: keep it in memory ({@code cache()}).
   *
   * <p>A partition must have the same elements in the same order however often Spark computes it.
   * If the ids of a mini-batch changed since its rows were asked for, the training fails.
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
   * Mini-batches from the rows of a table or query, which are kept in memory and on disk as long as
   * the mini-batches are used. Each of its partitions is a shard, of which a mini-batch has {@code
   * size} rows, in their order; the last before the first comes again may have fewer.
   *
   * <p>Spark keeps the order of rows in files, not of rows that were shuffled. A partition that is
   * lost and comes back in another order fails the training, so on several machines there are two
   * copies of each. {@link #of(Dataset, int, List)} needs no second copy.
   *
   * @param size at least 1
   * @throws io.sparknd.tensor.SparkNdException if {@code size} is below 1; in the training, if a
   *     partition has no rows, or is computed again with other rows or in another order
   */
  public static Batches<List<Row>> of(Dataset<Row> rows, int size) {
    return new Batches<>(RowBatches.asTheyCome(rows, positive(size)));
  }

  /**
   * The same, with the rows of each partition in the order of columns. Rows that are equal in all
   * of these come in the order of their other columns, from left to right. So a partition that is
   * lost comes back as it was, as long as it has the same rows: {@code repartition(n)} and {@code
   * repartition(n, column)} keep to that.
   *
   * @param orderBy at least one column, ascending
   * @throws io.sparknd.tensor.SparkNdException if {@code size} is below 1, or a column is missing;
   *     in the training, if a partition has no rows, or is computed again with other rows
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

  /** One element a partition: the shard of that number. */
  JavaRDD<Shard<B>> shards(JavaSparkContext context) {
    return source.shards(context);
  }

  /** The parts of mini-batches that one shard has. */
  interface Shard<B> extends Serializable {
    B batch(long step);
  }

  /** Where shards come from. */
  interface Source<B> {
    JavaRDD<Shard<B>> shards(JavaSparkContext context);
  }
}

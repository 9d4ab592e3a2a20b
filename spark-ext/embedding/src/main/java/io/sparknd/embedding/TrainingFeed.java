/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding;

import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.PartitionGroups;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.TrainingColumns;
import io.sparknd.embedding.internal.FeedErrors;
import io.sparknd.embedding.internal.feed.FeatureChunk;
import io.sparknd.embedding.internal.feed.FeedChunks;
import io.sparknd.embedding.internal.feed.ShardChunks;
import io.sparknd.embedding.internal.step.BatchShard;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;

/**
 * Shuffled mini-batches of a Dataset: of files, Iceberg tables or any query.
 *
 * <p>Rows are dealt to shards, and to chunks of at least 4096 rows, by a hash of the columns and
 * the seed. Chunks of primitive arrays stay persisted in memory and on disk until {@link #close}. A
 * task reads the chunks of its mini-batch, some 8 of at most 256, and no others.
 *
 * <p>Each epoch has every row once. It permutes the chunks of a shard, and then the rows within
 * each 8 consecutive chunks. The mini-batch of a step is a function of the rows, columns, options
 * and the step: it has the same bits however the rows are partitioned, in whatever order they are
 * read, when lost chunks are recomputed, and after {@link Training#resume}.
 */
public final class TrainingFeed implements AutoCloseable {
  private final FeedChunks chunks;

  private TrainingFeed(FeedChunks chunks) {
    this.chunks = chunks;
  }

  /**
   * Reads, deals and packs the rows. The query runs twice: once to count rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if there is no feature, a column is missing or
   *     ambiguous or has another type, a required value is missing, or there are no rows
   */
  public static TrainingFeed of(Dataset<Row> rows, TrainingColumns columns, FeedOptions options) {
    return unlessEmpty(rows, columns, options).orElseThrow(FeedErrors::emptyFeed);
  }

  /** Like {@link #of}; empty if there are no rows. All of them are read in either case. */
  static Optional<TrainingFeed> unlessEmpty(
      Dataset<Row> rows, TrainingColumns columns, FeedOptions options) {
    return FeedChunks.of(rows, columns, options).map(TrainingFeed::new);
  }

  /** Returns the mini-batches; the first epoch begins at step 0 of the table. */
  public Batches<FeatureBatch> batches() {
    return batchesFrom(0);
  }

  /**
   * Returns the mini-batches with the first epoch at step {@code first}, for a table that was
   * trained with other rows before.
   *
   * @param first steps of the table when this training begins; the same when it is resumed
   */
  public Batches<FeatureBatch> batchesFrom(long first) {
    return Batches.ofShards(context -> shards(first));
  }

  private JavaRDD<BatchShard<FeatureBatch>> shards(long first) {
    if (!chunks.chunks().getStorageLevel().isValid()) {
      throw FeedErrors.closedFeed();
    }
    List<ShardChunks> shards = chunks.shards();
    return PartitionGroups.of(
        chunks.chunks(),
        chunks.perShard(),
        (int shard, IntFunction<FeatureChunk> parts) ->
            step -> shards.get(shard).batch(step - first, parts));
  }

  /** Returns the number of rows. */
  public long rows() {
    return chunks.rows();
  }

  /**
   * Returns the steps of an epoch: as few as keep the parts of every shard within the size. The
   * parts of a shard in an epoch have the same number of rows, or one less. If rows are few, a part
   * may have none.
   */
  public int stepsPerEpoch() {
    return Math.toIntExact(chunks.stepsPerEpoch());
  }

  JavaRDD<FeatureChunk> chunks() {
    return chunks.chunks();
  }

  /**
   * Releases the memory and disk of the rows. A training with its mini-batches is an error
   * afterwards.
   */
  @Override
  public void close() {
    InterruptedCleanup.run(() -> chunks.chunks().unpersist(false));
  }
}

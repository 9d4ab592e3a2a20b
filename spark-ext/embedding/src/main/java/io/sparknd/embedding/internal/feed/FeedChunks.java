/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.cluster.internal.spark.InterruptedCleanup;
import io.sparknd.cluster.internal.spark.PartitionGroups;
import io.sparknd.cluster.internal.spark.PartitionTasks;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.TrainingColumns;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.IntFunction;
import java.util.stream.IntStream;
import org.apache.spark.api.java.JavaRDD;
import org.apache.spark.sql.Dataset;
import org.apache.spark.sql.Row;
import org.apache.spark.storage.StorageLevel;

/**
 * The persisted chunks of a feed. Each is a partition of its own, so a task reads those of its
 * batch alone, and Spark moves them to disk one by one. Lost chunks are computed again; the driver
 * has their checksums.
 */
public final class FeedChunks {
  /** Rows of a chunk, if that makes few enough of them: each costs the driver time in every job. */
  private static final int ROWS = 4096;

  private static final int MOST_PER_SHARD = 256;

  private final JavaRDD<FeatureChunk> chunks;
  private final int perShard;
  private final List<ShardChunks> shards;

  private FeedChunks(JavaRDD<FeatureChunk> chunks, int perShard, List<ShardChunks> shards) {
    this.chunks = chunks;
    this.perShard = perShard;
    this.shards = shards;
  }

  /** Rows and checksums of one shard's chunks. A class, since Kryo cannot read records. */
  private static final class Counted implements Serializable {
    private static final long serialVersionUID = 1;

    final int[] rows;
    final long[] checksums;

    Counted(int count, IntFunction<FeatureChunk> parts) {
      rows = new int[count];
      checksums = new long[count];
      for (int i = 0; i < count; i++) {
        FeatureChunk chunk = parts.apply(i);
        rows[i] = chunk.rows();
        checksums[i] = chunk.checksum();
      }
    }

    long total() {
      return IntStream.of(rows).asLongStream().sum();
    }
  }

  /**
   * Runs the jobs that count, deal and pack the rows.
   *
   * @return empty if there are no rows
   * @throws io.sparknd.tensor.SparkNdException if columns do not fit, or a required value is
   *     missing
   */
  public static Optional<FeedChunks> of(
      Dataset<Row> rows, TrainingColumns columns, FeedOptions options) {
    Dataset<Row> encoded = FeatureEncoding.encoded(rows, columns);
    FeatureShape shape = FeatureShape.of(columns);
    try {
      long count = encoded.count();
      return count == 0
          ? Optional.empty()
          : packed(encoded, shape, perShard(count, options.shards()), options);
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private static Optional<FeedChunks> packed(
      Dataset<Row> encoded, FeatureShape shape, int perShard, FeedOptions options) {
    JavaRDD<FeatureChunk> chunks =
        FeedPlacement.chunks(encoded, shape, perShard * options.shards(), options.seed())
            .persist(StorageLevel.MEMORY_AND_DISK());
    boolean isUsed = false;
    try {
      List<Counted> counted =
          PartitionTasks.collected(
              PartitionGroups.of(
                  chunks,
                  perShard,
                  (int shard, IntFunction<FeatureChunk> parts) -> new Counted(perShard, parts)));
      isUsed = counted.stream().anyMatch(shard -> shard.total() > 0);
      return isUsed
          ? Optional.of(new FeedChunks(chunks, perShard, shards(counted, shape, options)))
          : Optional.empty();
    } finally {
      if (!isUsed) {
        InterruptedCleanup.run(() -> chunks.unpersist(false));
      }
    }
  }

  private static int perShard(long rows, int shards) {
    return (int) Math.max(1, Math.min(MOST_PER_SHARD, rows / shards / ROWS));
  }

  private static List<ShardChunks> shards(
      List<Counted> counted, FeatureShape shape, FeedOptions options) {
    long most = counted.stream().mapToLong(Counted::total).max().orElseThrow();
    long steps = (most + options.size() - 1) / options.size();
    List<ShardChunks> shards = new ArrayList<>();
    for (int i = 0; i < counted.size(); i++) {
      EpochOrder order = new EpochOrder(options.seed(), i, counted.get(i).rows, steps);
      shards.add(new ShardChunks(shape, order, counted.get(i).checksums));
    }
    return shards;
  }

  /** Returns the persisted chunks; {@link #perShard} consecutive ones are those of a shard. */
  public JavaRDD<FeatureChunk> chunks() {
    return chunks;
  }

  public int perShard() {
    return perShard;
  }

  /** Returns what tasks know of each shard. */
  public List<ShardChunks> shards() {
    return shards;
  }

  public long rows() {
    return shards.stream().mapToLong(shard -> shard.order().rows()).sum();
  }

  /** Returns the steps in which each row occurs once. */
  public long stepsPerEpoch() {
    return shards.get(0).order().steps();
  }
}

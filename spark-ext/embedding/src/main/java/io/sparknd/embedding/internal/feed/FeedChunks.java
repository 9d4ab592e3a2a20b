/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.cluster.internal.spark.PartitionGroups;
import io.sparknd.cluster.internal.spark.TaskErrors;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.feed.TrainingColumns;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.UUID;
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

  /** Rows and checksums of one shard's chunks. */
  private record Counted(int[] rows, long[] checksums) implements Serializable {
    static Counted of(int count, IntFunction<Iterator<FeatureChunk>> parts) {
      Counted counted = new Counted(new int[count], new long[count]);
      for (int i = 0; i < count; i++) {
        FeatureChunk chunk = parts.apply(i).next();
        counted.rows[i] = chunk.rows();
        counted.checksums[i] = chunk.checksum();
      }
      return counted;
    }

    long total() {
      return IntStream.of(rows).asLongStream().sum();
    }
  }

  /**
   * Runs the jobs that count, deal and pack the rows.
   *
   * @throws io.sparknd.tensor.SparkNdException if columns do not fit, a required value is missing,
   *     or there are no rows
   */
  public static FeedChunks of(Dataset<Row> rows, TrainingColumns columns, FeedOptions options) {
    Dataset<Row> encoded = FeatureEncoding.encoded(rows, columns);
    FeatureShape shape = FeatureShape.of(columns);
    try {
      int perShard = perShard(encoded.count(), options.shards());
      JavaRDD<FeatureChunk> chunks =
          FeedPlacement.chunks(encoded, shape, perShard * options.shards(), options.seed())
              .persist(StorageLevel.MEMORY_AND_DISK());
      List<Counted> counted =
          PartitionGroups.of(
                  chunks,
                  perShard,
                  (int shard, IntFunction<Iterator<FeatureChunk>> parts) ->
                      Counted.of(perShard, parts))
              .collect();
      return new FeedChunks(chunks, perShard, shards(chunks.id(), counted, shape, options));
    } catch (Exception e) {
      throw TaskErrors.unwrapped(e);
    }
  }

  private static int perShard(long rows, int shards) {
    if (rows == 0) {
      throw EmbeddingErrors.emptyFeed();
    }
    return (int) Math.max(1, Math.min(MOST_PER_SHARD, rows / shards / ROWS));
  }

  private static List<ShardChunks> shards(
      int rdd, List<Counted> counted, FeatureShape shape, FeedOptions options) {
    long most = counted.stream().mapToLong(Counted::total).max().orElseThrow();
    long steps = (most + options.size() - 1) / options.size();
    String feed = UUID.randomUUID().toString();
    List<ShardChunks> shards = new ArrayList<>();
    for (int i = 0; i < counted.size(); i++) {
      EpochOrder order = new EpochOrder(options.seed(), i, counted.get(i).rows(), steps);
      shards.add(
          new ShardChunks(feed, rdd, shape, order, counted.get(i).checksums(), options.prefetch()));
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

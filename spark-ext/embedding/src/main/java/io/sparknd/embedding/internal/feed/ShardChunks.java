/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.cluster.internal.spark.LocalBlocks;
import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.feed.FeedOptions;
import io.sparknd.embedding.internal.EmbeddingErrors;
import java.io.Serializable;
import java.util.Optional;
import java.util.function.IntFunction;
import org.apache.spark.TaskContext;

/**
 * What tasks know of one shard of a feed.
 *
 * @param feed id of the feed
 * @param rdd id of the RDD of chunks
 * @param checksums checksum of each chunk of the shard
 */
public record ShardChunks(
    String feed,
    int rdd,
    FeatureShape shape,
    EpochOrder order,
    long[] checksums,
    FeedOptions.Prefetching prefetch)
    implements Serializable {

  /**
   * Returns the batch of a step in a task, and has the next one made in the background.
   *
   * @param step counted from the beginning of the first epoch
   * @param parts reads chunk {@code i} of the shard
   * @throws io.sparknd.tensor.SparkNdException if a chunk was computed again with other rows
   */
  public FeatureBatch batch(long step, IntFunction<FeatureChunk> parts) {
    if (prefetch == FeedOptions.Prefetching.OFF || TaskContext.get().attemptNumber() > 0) {
      return made(step, parts);
    }
    FeatureBatch batch =
        BatchPrefetcher.taken(feed, order.shard(), step).orElseGet(() -> made(step, parts));
    BatchPrefetcher.prefetch(feed, order.shard(), step, batch, () -> ahead(step + 1));
    return batch;
  }

  private FeatureBatch made(long step, IntFunction<FeatureChunk> parts) {
    return BatchAssembly.batch(shape, order.picks(step), i -> verified(i, parts.apply(i)));
  }

  private FeatureChunk verified(int number, FeatureChunk chunk) {
    if (chunk.checksum() != checksums[number] || chunk.rows() != order.chunkRows()[number]) {
      throw EmbeddingErrors.otherChunk(number, order.shard());
    }
    return chunk;
  }

  /** Makes a batch outside of a task; empty if this executor lacks a chunk. */
  private Optional<FeatureBatch> ahead(long step) {
    EpochOrder.Picks picks = order.picks(step);
    FeatureChunk[] chunks = new FeatureChunk[checksums.length];
    for (int chunk : picks.chunks()) {
      if (chunks[chunk] == null) {
        Optional<FeatureChunk> local =
            LocalBlocks.only(rdd, order.shard() * checksums.length + chunk);
        if (local.isEmpty()) {
          return Optional.empty();
        }
        chunks[chunk] = verified(chunk, local.get());
      }
    }
    return Optional.of(BatchAssembly.batch(shape, picks, i -> chunks[i]));
  }
}

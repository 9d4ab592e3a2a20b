/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.feed;

import io.sparknd.embedding.feed.FeatureBatch;
import io.sparknd.embedding.internal.FeedErrors;
import java.io.Serializable;
import java.util.function.IntFunction;

/**
 * What tasks know of one shard of a feed.
 *
 * @param checksums checksum of each chunk of the shard
 */
public record ShardChunks(FeatureShape shape, EpochOrder order, long[] checksums)
    implements Serializable {

  /**
   * Returns the batch of a step.
   *
   * @param step counted from the beginning of the first epoch
   * @param parts reads chunk {@code i} of the shard
   * @throws io.sparknd.tensor.SparkNdException if a chunk was computed again with other rows
   */
  public FeatureBatch batch(long step, IntFunction<FeatureChunk> parts) {
    return BatchAssembly.batch(shape, order.picks(step), i -> verified(i, parts.apply(i)));
  }

  private FeatureChunk verified(int number, FeatureChunk chunk) {
    if (chunk.checksum() != checksums[number] || chunk.rows() != order.chunkRows()[number]) {
      throw FeedErrors.otherChunk(number, order.shard());
    }
    return chunk;
  }
}

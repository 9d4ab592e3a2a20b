/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.feed;

import io.sparknd.embedding.internal.TrainingErrors;
import java.io.Serializable;

/**
 * How rows become mini-batches.
 *
 * @param shards parts of a mini-batch, at least 1; each is computed by a task of its own
 * @param size maximum rows of a part, at least 1
 * @param seed seed of the shuffles; 0 by default
 */
public record FeedOptions(int shards, int size, long seed) implements Serializable {
  public FeedOptions {
    if (shards < 1) {
      throw TrainingErrors.noShards(shards);
    }
    if (size < 1) {
      throw TrainingErrors.badTraining("size", size);
    }
  }

  /** Returns options with seed 0. */
  public static FeedOptions of(int shards, int size) {
    return new FeedOptions(shards, size, 0);
  }

  public FeedOptions withSeed(long other) {
    return new FeedOptions(shards, size, other);
  }
}

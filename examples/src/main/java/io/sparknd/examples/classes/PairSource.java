/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.embedding.Batches;
import org.apache.spark.broadcast.Broadcast;

/**
 * Mini-batches of pairs, generated in the training tasks.
 *
 * @param skipGrams broadcast to the executors
 * @param shards parts of a mini-batch
 * @param walks the walks of a shard's part
 */
public record PairSource(Broadcast<SkipGrams> skipGrams, int shards, int walks)
    implements Batches.Generator<Pairs> {

  @Override
  public Pairs batch(long step, int shard) {
    return skipGrams.value().pairs((step * shards + shard) * walks, walks);
  }
}

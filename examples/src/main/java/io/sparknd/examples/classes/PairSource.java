/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.classes;

import io.sparknd.embedding.Batches;
import org.apache.spark.broadcast.Broadcast;

/**
 * Mini-batches of pairs, made in the tasks that learn of them.
 *
 * @param skipGrams on every executor, sent there once
 * @param shards parts of a mini-batch
 * @param walks that a shard makes its part of
 */
public record PairSource(Broadcast<SkipGrams> skipGrams, int shards, int walks)
    implements Batches.Generator<Pairs> {

  @Override
  public Pairs batch(long step, int shard) {
    return skipGrams.value().pairs((step * shards + shard) * walks, walks);
  }
}

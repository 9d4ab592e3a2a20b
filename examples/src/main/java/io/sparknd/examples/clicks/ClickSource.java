/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.embedding.Batches;
import org.apache.spark.broadcast.Broadcast;

/**
 * Mini-batches of a log, from its beginning again after its end.
 *
 * @param log on every executor, sent there once
 * @param examples in the log that are for training
 * @param shards parts of a mini-batch
 * @param size examples in a shard's part
 */
public record ClickSource(Broadcast<ClickLog> log, long examples, int shards, int size)
    implements Batches.Generator<Clicks> {

  @Override
  public Clicks batch(long step, int shard) {
    return log.value().clicks((step * shards + shard) * size % examples, size);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.examples.clicks;

import io.sparknd.embedding.Batches;
import org.apache.spark.broadcast.Broadcast;

/**
 * Mini-batches of a log; after its end they start again at its beginning.
 *
 * @param log broadcast to the executors
 * @param examples the number of training examples
 * @param shards parts of a mini-batch
 * @param size examples per part
 */
public record ClickSource(Broadcast<ClickLog> log, long examples, int shards, int size)
    implements Batches.Generator<Clicks> {

  @Override
  public Clicks batch(long step, int shard) {
    return log.value().clicks((step * shards + shard) * size % examples, size);
  }
}

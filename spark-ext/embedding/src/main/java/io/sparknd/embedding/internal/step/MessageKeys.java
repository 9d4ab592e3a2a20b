/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.step;

import io.sparknd.cluster.internal.shuffle.BatchKey;
import java.io.Serializable;

/**
 * The keys of messages between shards and owners. The messages of all tables of a model travel in
 * the same shuffle, so the sort key contains the number of the table. Gradients are sorted by
 * mini-batch, then by shard; requests come after all gradients.
 *
 * @param tables tables of the model
 * @param shards shards of a mini-batch
 */
public record MessageKeys(int tables, int shards) implements Serializable {
  /** Marks a request in place of a mini-batch and shard; sorts after all of these. */
  private static final int REQUEST = Integer.MAX_VALUE;

  /**
   * Returns the key of gradients.
   *
   * @param number number of the mini-batch in the job
   * @param from number of rows to the same owner in messages before this one
   */
  BatchKey gradients(int owner, int number, int shard, int table, int from) {
    int part = Math.addExact(Math.multiplyExact(number, shards), shard);
    return new BatchKey(owner, Math.addExact(Math.multiplyExact(part, tables), table), from);
  }

  /** Returns the key of a request for rows. */
  public BatchKey request(int owner, int shard, int table) {
    return new BatchKey(owner, REQUEST, Math.addExact(Math.multiplyExact(shard, tables), table));
  }

  /** Returns the key of rows in response to a request. */
  public BatchKey response(int shard, int owner, int table, int from) {
    return new BatchKey(shard, Math.addExact(Math.multiplyExact(owner, tables), table), from);
  }

  public boolean isRequest(BatchKey key) {
    return key.source() == REQUEST;
  }

  /** Returns the number of the table of any message. */
  public int table(BatchKey key) {
    return (isRequest(key) ? key.sequence() : key.source()) % tables;
  }

  /** Returns the shard that sent a request. */
  public int requester(BatchKey request) {
    return request.sequence() / tables;
  }

  /** Returns the number in the job of the mini-batch of gradients. */
  int miniBatch(BatchKey gradients) {
    return gradients.source() / tables / shards;
  }

  /** Returns the partition that sent a response. */
  public int responder(BatchKey response) {
    return response.source() / tables;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.cluster.exchange.BatchKey;
import io.sparknd.cluster.exchange.BatchSource;
import io.sparknd.cluster.exchange.OpenBatches;
import io.sparknd.cluster.exchange.UpdateBatch;
import io.sparknd.cluster.rows.UpdateChunk;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import scala.Tuple2;

/**
 * What one source has for rows, be it gradients or requests, dealt out to the owners of the rows in
 * the order it has.
 */
public final class RowsByOwner extends BatchSource {
  /** Of the batches of a task together. */
  private static final int MOST_BYTES = 1 << 26;

  private static final int SMALLEST_BATCH = 1 << 15;
  private static final int LARGEST_BATCH = 1 << 20;
  private static final int NONE = -1;

  private final int source;
  private final Iterator<UpdateChunk> chunks;
  private final RowDirectory ids;
  private final OpenBatches bins;
  private UpdateChunk chunk;
  private int row;
  private int sequence;

  /**
   * @param chunks whose offsets are ids
   * @param units of the storage that there are for a row
   */
  public RowsByOwner(
      int source, Iterator<UpdateChunk> chunks, RowDirectory ids, Storage storage, int units) {
    this.source = source;
    this.chunks = chunks;
    this.ids = ids;
    int share = Math.min(LARGEST_BATCH, MOST_BYTES / ids.partitions());
    this.bins =
        OpenBatches.keeping(ids.partitions(), storage, units, Math.max(SMALLEST_BATCH, share));
  }

  @Override
  protected Tuple2<BatchKey, UpdateBatch> advance() {
    while (chunk != null || chunks.hasNext()) {
      if (chunk == null) {
        chunk = chunks.next();
        row = 0;
      }
      int full = fill();
      bins.move(chunk.payload());
      if (full != NONE) {
        return emit(full);
      }
      chunk = null;
    }
    for (int owner = 0; owner < ids.partitions(); owner++) {
      if (!bins.isEmpty(owner)) {
        return emit(owner);
      }
    }
    return null;
  }

  /** Deals out the chunk until the batch of an owner is full, who is told. */
  private int fill() {
    while (row < chunk.count()) {
      long id = chunk.offsets()[row];
      int owner = ids.owner(id);
      if (bins.add(owner, ids.address(id), chunk.payload(), row++)) {
        return owner;
      }
    }
    return NONE;
  }

  private Tuple2<BatchKey, UpdateBatch> emit(int owner) {
    return new Tuple2<>(new BatchKey(owner, source, sequence++), bins.take(owner));
  }
}

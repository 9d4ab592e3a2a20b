/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal.rows;

import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.cluster.internal.shuffle.BatchIterator;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.OpenBatches;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Groups the gradients or row requests of one source into batches by the owner of each row, in
 * their order.
 */
public final class OwnerBinner extends BatchIterator {
  /** Target bytes of all open batches of a task; {@link #SMALLEST_BATCH} takes precedence. */
  private static final int MAX_BYTES = 1 << 26;

  private static final int SMALLEST_BATCH = 1 << 15;
  private static final int LARGEST_BATCH = 1 << 20;
  private static final int NONE = -1;

  private final int source;
  private final Iterator<NumberedRows> chunks;
  private final RowDirectory directory;
  private final OpenBatches bins;
  private @Nullable NumberedRows chunk;
  private int row;
  private int sequence;

  /**
   * Starts without batches.
   *
   * @param chunks updates or requests whose numbers are ids
   * @param units storage units per row
   */
  public OwnerBinner(
      int source,
      Iterator<NumberedRows> chunks,
      RowDirectory directory,
      Storage storage,
      int units) {
    this.source = source;
    this.chunks = chunks;
    this.directory = directory;
    int share = Math.min(LARGEST_BATCH, MAX_BYTES / directory.partitions());
    this.bins =
        OpenBatches.uncombined(
            directory.partitions(), storage, units, Math.max(SMALLEST_BATCH, share));
  }

  @Override
  protected @Nullable Tuple2<BatchKey, ShuffleBatch> advance() {
    while (chunk != null || chunks.hasNext()) {
      if (chunk == null) {
        chunk = chunks.next();
        row = 0;
      }
      int full = fill(chunk);
      bins.move(chunk.payload());
      if (full != NONE) {
        return emit(full);
      }
      chunk = null;
    }
    for (int owner = 0; owner < directory.partitions(); owner++) {
      if (!bins.isEmpty(owner)) {
        return emit(owner);
      }
    }
    return null;
  }

  /** Adds the chunk to batches until one is full, and returns its owner, or {@link #NONE}. */
  private int fill(NumberedRows chunk) {
    while (row < chunk.count()) {
      long id = chunk.numbers()[row];
      int owner = directory.owner(id);
      if (bins.add(owner, directory.address(id), chunk.payload(), row++)) {
        return owner;
      }
    }
    return NONE;
  }

  private Tuple2<BatchKey, ShuffleBatch> emit(int owner) {
    return new Tuple2<>(new BatchKey(owner, source, sequence++), bins.take(owner));
  }
}

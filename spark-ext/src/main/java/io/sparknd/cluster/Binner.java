/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.BlockLayout.Pieces;
import io.sparknd.op.Offsets;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import java.util.NoSuchElementException;
import scala.Tuple2;

/**
 * Deals the updates of one source partition out to the partitions that own them, as batches. A
 * batch leaves when it is full, so the batches of one owner hold its updates in the order of the
 * source; memory is bounded by {@link #BUDGET}, or by {@link #SMALLEST_BATCH} an owner, whatever
 * the source holds.
 */
final class Binner implements Iterator<Tuple2<BatchKey, UpdateBatch>> {
  /** Bytes in all open batches of a task: few, so that they stay in the processor's cache. */
  private static final int BUDGET = 4 << 20;

  private static final int LARGEST_BATCH = 256 << 10;
  private static final int SMALLEST_BATCH = 8 << 10;

  /** Batches are not cut at windows. */
  static final long NO_WINDOW = Long.MAX_VALUE;

  private final int source;
  private final Iterator<UpdateChunk> chunks;
  private final Pieces pieces;
  private final long window;
  private final Bins bins;
  private UpdateChunk chunk;
  private int slice;
  private long pieceOfSlice;
  private int drained;
  private int sequence;
  private Tuple2<BatchKey, UpdateBatch> next;

  /**
   * @param source number of the source partition
   * @param chunks of updates whose rows are whole slices
   */
  Binner(int source, Iterator<UpdateChunk> chunks, Storage storage, Pieces pieces) {
    this(source, chunks, storage, pieces, NO_WINDOW);
  }

  /**
   * @param window pieces of the owner that a batch may hold together; batches are then ordered by
   *     window, whatever their source. Pieces of one owner must come in ascending order.
   */
  Binner(int source, Iterator<UpdateChunk> chunks, Storage storage, Pieces pieces, long window) {
    this.source = source;
    this.window = window;
    this.chunks = chunks;
    this.pieces = pieces;
    int bytes = Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, BUDGET / pieces.partitions()));
    this.bins = new Bins(pieces.partitions(), storage, pieces.units(), bytes);
  }

  @Override
  public boolean hasNext() {
    if (next == null) {
      next = advance();
    }
    return next != null;
  }

  @Override
  public Tuple2<BatchKey, UpdateBatch> next() {
    if (!hasNext()) {
      throw new NoSuchElementException();
    }
    Tuple2<BatchKey, UpdateBatch> batch = next;
    next = null;
    return batch;
  }

  private Tuple2<BatchKey, UpdateBatch> advance() {
    while (chunk != null || chunks.hasNext()) {
      if (chunk == null) {
        chunk = chunks.next();
        slice = 0;
        pieceOfSlice = 0;
      }
      int full = fill();
      bins.move(chunk.payload());
      if (full >= 0) {
        return emit(full);
      }
      chunk = null;
    }
    while (drained < pieces.partitions()) {
      int owner = drained++;
      if (!bins.isEmpty(owner)) {
        return emit(owner);
      }
    }
    return null;
  }

  /** Deals out the chunk until a bin is full; -1 once the chunk is used up. */
  private int fill() {
    long[] offsets = chunk.offsets();
    for (; slice < chunk.count(); slice++) {
      long offset = offsets[slice];
      while (offset != Offsets.DROPPED && pieceOfSlice < pieces.perSlice()) {
        long piece = offset * pieces.perSlice() + pieceOfSlice;
        int owner = pieces.owner(piece);
        long local = pieces.local(piece);
        if (closesWindow(owner, local)) {
          return owner;
        }
        int row = (int) (slice * pieces.perSlice() + pieceOfSlice);
        pieceOfSlice++;
        if (add(owner, local, row)) {
          return owner;
        }
      }
      pieceOfSlice = 0;
    }
    return -1;
  }

  private boolean closesWindow(int owner, long local) {
    return window != NO_WINDOW
        && !bins.isEmpty(owner)
        && bins.firstOffset(owner) / window != local / window;
  }

  private boolean add(int owner, long local, int row) {
    return chunk.keys() == null
        ? bins.add(owner, local, chunk.payload(), row)
        : bins.add(owner, local, chunk.payload(), row, chunk.keys()[row]);
  }

  private Tuple2<BatchKey, UpdateBatch> emit(int owner) {
    UpdateBatch batch = bins.take(owner);
    int place = window == NO_WINDOW ? source : (int) (batch.offsets()[0] / window);
    return new Tuple2<>(new BatchKey(owner, place, sequence++), batch);
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.cluster.BlockLayout.Pieces;
import io.sparknd.op.Offsets;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import java.util.NoSuchElementException;
import scala.Tuple2;

/**
 * Deals the updates of one source partition out to the partitions that own them, as batches. A
 * batch leaves when it is full, so the batches of one owner hold its updates in the order of the
 * source; memory is bounded by {@link #BUDGET} whatever the source holds.
 */
final class Binner implements Iterator<Tuple2<BatchKey, UpdateBatch>> {
  /** Bytes in all open batches of a task. */
  private static final int BUDGET = 64 << 20;

  private static final int LARGEST_BATCH = 1 << 20;
  private static final int SMALLEST_BATCH = 8 << 10;

  /** Batches are not cut at windows. */
  static final long NO_WINDOW = Long.MAX_VALUE;

  private final int source;
  private final Iterator<UpdateChunk> chunks;
  private final Storage storage;
  private final Pieces pieces;
  private final long window;
  private final int capacity;
  private final Bin[] bins;
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
    this.storage = storage;
    this.pieces = pieces;
    this.capacity = capacity(storage, pieces);
    this.bins = new Bin[pieces.partitions()];
  }

  private static int capacity(Storage storage, Pieces pieces) {
    int budget = BUDGET / pieces.partitions();
    int bytes = Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, budget));
    int unit = BlockLayout.unitBytes(storage);
    return (int) Math.max(1, bytes / (8L + (long) pieces.units() * unit));
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
      if (full >= 0) {
        return emit(full);
      }
      chunk = null;
    }
    while (drained < bins.length) {
      int owner = drained++;
      if (bins[owner] != null) {
        return emit(owner);
      }
    }
    return null;
  }

  /** Deals out the chunk until a bin is full; -1 once the chunk is used up. */
  private int fill() {
    for (; slice < chunk.count(); slice++) {
      long offset = chunk.offsets()[slice];
      while (offset != Offsets.DROPPED && pieceOfSlice < pieces.perSlice()) {
        long piece = offset * pieces.perSlice() + pieceOfSlice;
        int owner = pieces.owner(piece);
        if (closesWindow(owner, pieces.local(piece))) {
          return owner;
        }
        int row = (int) (slice * pieces.perSlice() + pieceOfSlice);
        pieceOfSlice++;
        if (add(owner, pieces.local(piece), row)) {
          return owner;
        }
      }
      pieceOfSlice = 0;
    }
    return -1;
  }

  private boolean closesWindow(int owner, long local) {
    return window != NO_WINDOW
        && bins[owner] != null
        && bins[owner].offsets[0] / window != local / window;
  }

  private boolean add(int owner, long local, int row) {
    Bin bin = bins[owner];
    if (bin == null) {
      bin = bins[owner] = new Bin(storage, pieces.units(), capacity, chunk.keys() != null);
    }
    return chunk.keys() == null
        ? bin.add(local, chunk.payload(), row)
        : bin.add(local, chunk.payload(), row, chunk.keys()[row]);
  }

  private Tuple2<BatchKey, UpdateBatch> emit(int owner) {
    UpdateBatch batch = bins[owner].batch();
    bins[owner] = null;
    int place = window == NO_WINDOW ? source : (int) (batch.offsets()[0] / window);
    return new Tuple2<>(new BatchKey(owner, place, sequence++), batch);
  }

  /** An open batch; it starts small, since most calls fill few. */
  private static final class Bin {
    /** Updates that may share rows, to a row that a batch has room for. */
    private static final int SHARING = 8;

    private final Storage storage;
    private final int units;
    private final int capacity;
    private final RowNumbers numbers;
    private long[] offsets = new long[32];
    private int[] rows;
    private Object payload;
    private int count;
    private int payloadRows;

    Bin(Storage storage, int units, int capacity, boolean keyed) {
      this.storage = storage;
      this.units = units;
      this.capacity = capacity;
      this.payload = storage.allocate(Math.min(capacity, 32) * units);
      this.numbers = keyed ? new RowNumbers() : null;
      this.rows = keyed ? new int[32] : null;
    }

    /** Adds an update with a row of its own; whether the bin is full now. */
    boolean add(long local, Object from, int row) {
      addRow(from, row);
      addOffset(local);
      return count == capacity;
    }

    /** Adds an update whose row may be there already; whether the bin is full now. */
    boolean add(long local, Object from, int row, long key) {
      int number = numbers.number(key);
      if (number == payloadRows) {
        addRow(from, row);
      }
      addOffset(local);
      rows[count - 1] = number;
      return payloadRows == capacity || count == SHARING * (long) capacity;
    }

    private void addOffset(long local) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 4 * count);
        rows = rows == null ? null : Arrays.copyOf(rows, 4 * count);
      }
      offsets[count++] = local;
    }

    private void addRow(Object from, int row) {
      int length = storage.length(payload);
      if ((payloadRows + 1) * units > length) {
        Object larger = storage.allocate(Math.min(capacity, 4 * payloadRows) * units);
        System.arraycopy(payload, 0, larger, 0, payloadRows * units);
        payload = larger;
      }
      System.arraycopy(from, row * units, payload, payloadRows * units, units);
      payloadRows++;
    }

    UpdateBatch batch() {
      return new UpdateBatch(storage, count, offsets, rows, payload, payloadRows * units);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.NumberedRows;
import io.sparknd.op.SliceOffsets;
import io.sparknd.tensor.Storage;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Distributes the updates of one source partition, in batches, to the partitions that own them. A
 * batch is emitted when it is full, so the batches of one owner hold its updates in source order.
 * Memory is bounded by {@link #BUDGET}, or by {@link #SMALLEST_BATCH} for each owner, whatever the
 * size of the source.
 */
public final class RowBinner extends BatchIterator {
  /** Bytes in all open batches of a task. It is small, so that they stay in the CPU's cache. */
  private static final int BUDGET = 4 << 20;

  /** Bytes in all open batches while combining. Larger batches meet more duplicates. */
  private static final int COMBINING_BUDGET = 64 << 20;

  private static final int LARGEST_BATCH = 256 << 10;
  private static final int LARGEST_COMBINED_BATCH = 8 << 20;
  private static final int SMALLEST_BATCH = 8 << 10;

  /** Combining is evaluated again after each this many updates. */
  private static final int TRIAL = 1 << 16;

  /** Combining continues if at least one in this many updates is folded into another. */
  private static final int PAYS = 8;

  /** Batches are not cut at windows. */
  public static final long NO_WINDOW = Long.MAX_VALUE;

  private final int source;
  private final Iterator<NumberedRows> chunks;
  private final Pieces pieces;
  private final long window;
  private final Storage storage;
  private @Nullable OpenBatches bins;
  private @Nullable NumberedRows chunk;
  private int slice;
  private long pieceOfSlice;
  private @Nullable Trial trial;
  private @Nullable OpenBatches draining;
  private int drained;
  private int sequence;
  private long updates;
  private long dropped;
  private long combined;
  private long bytes;

  /**
   * @param source the number of the source partition
   * @param chunks updates whose rows are whole slices
   */
  public RowBinner(int source, Iterator<NumberedRows> chunks, Storage storage, Pieces pieces) {
    this(source, chunks, storage, pieces, NO_WINDOW);
  }

  /**
   * @param window the number of consecutive pieces of an owner that one batch may span. Batches are
   *     then ordered by window, whatever their source. Pieces of one owner must arrive in ascending
   *     order
   */
  public RowBinner(
      int source, Iterator<NumberedRows> chunks, Storage storage, Pieces pieces, long window) {
    this.source = source;
    this.window = window;
    this.chunks = chunks;
    this.storage = storage;
    this.pieces = pieces;
    this.bins = uncombined();
  }

  /** Distributes updates after combining them as {@code how} does, for as long as that pays. */
  public RowBinner(int source, Iterator<NumberedRows> chunks, MapSideCombine how, Pieces pieces) {
    this(source, chunks, how.dtype().storage(), pieces);
    if (pieces.units() > 0) {
      int bytes = batchBytes(COMBINING_BUDGET, LARGEST_COMBINED_BATCH);
      this.bins = OpenBatches.combining(pieces.partitions(), how, pieces.units(), bytes);
      this.trial = new Trial();
    }
  }

  private OpenBatches uncombined() {
    int bytes = batchBytes(BUDGET, LARGEST_BATCH);
    return OpenBatches.uncombined(pieces.partitions(), storage, pieces.units(), bytes);
  }

  private int batchBytes(int budget, int largest) {
    return Math.max(SMALLEST_BATCH, Math.min(largest, budget / pieces.partitions()));
  }

  /** Returns the number of updates so far, including dropped ones. */
  public long updates() {
    return updates;
  }

  public long dropped() {
    return dropped;
  }

  /** Returns the number of updates that were folded into others. */
  public long combined() {
    return combined / pieces.perSlice();
  }

  /** Returns the bytes of all emitted batches, before Spark compresses them. */
  public long bytes() {
    return bytes;
  }

  @Override
  protected @Nullable Tuple2<BatchKey, ShuffleBatch> advance() {
    Tuple2<BatchKey, ShuffleBatch> batch = drain();
    while (batch == null && bins != null && (chunk != null || chunks.hasNext())) {
      OpenBatches open = bins;
      if (chunk == null) {
        chunk = chunks.next();
        updates += chunk.count();
        slice = 0;
        pieceOfSlice = 0;
      }
      int full = fill(open, chunk);
      open.move(chunk.payload());
      if (full >= 0) {
        return emit(open, full);
      }
      chunk = null;
      if (trial != null && trial.fails(open)) {
        batch = drain(uncombined());
      }
    }
    return batch == null && bins != null ? drain(null) : batch;
  }

  /** Drains the open batches and continues with {@code others}. */
  private @Nullable Tuple2<BatchKey, ShuffleBatch> drain(@Nullable OpenBatches others) {
    OpenBatches open = Objects.requireNonNull(bins);
    draining = open;
    drained = 0;
    combined += open.combined();
    bins = others;
    trial = null;
    return drain();
  }

  private @Nullable Tuple2<BatchKey, ShuffleBatch> drain() {
    while (draining != null && drained < pieces.partitions()) {
      int owner = drained++;
      if (!draining.isEmpty(owner)) {
        return emit(draining, owner);
      }
    }
    draining = null;
    return null;
  }

  /**
   * Distributes the chunk until a bin is full, and returns its owner; -1 at the end of the chunk.
   */
  private int fill(OpenBatches bins, NumberedRows chunk) {
    long[] numbers = chunk.numbers();
    for (; slice < chunk.count(); slice++) {
      long number = numbers[slice];
      dropped += number == SliceOffsets.DROPPED ? 1 : 0;
      while (number != SliceOffsets.DROPPED && pieceOfSlice < pieces.perSlice()) {
        long piece = number * pieces.perSlice() + pieceOfSlice;
        int owner = pieces.owner(piece);
        long local = pieces.local(piece);
        if (closesWindow(bins, owner, local)) {
          return owner;
        }
        int row = (int) (slice * pieces.perSlice() + pieceOfSlice);
        pieceOfSlice++;
        if (add(bins, chunk, owner, local, row)) {
          return owner;
        }
      }
      pieceOfSlice = 0;
    }
    return -1;
  }

  private boolean closesWindow(OpenBatches bins, int owner, long local) {
    return window != NO_WINDOW
        && !bins.isEmpty(owner)
        && bins.firstLocal(owner) / window != local / window;
  }

  private static boolean add(OpenBatches bins, NumberedRows chunk, int owner, long local, int row) {
    long[] keys = chunk.keys();
    return keys == null
        ? bins.add(owner, local, chunk.payload(), row)
        : bins.add(owner, local, chunk.payload(), row, keys[row]);
  }

  private Tuple2<BatchKey, ShuffleBatch> emit(OpenBatches from, int owner) {
    ShuffleBatch batch = from.take(owner);
    bytes += batch.bytes();
    int place = window == NO_WINDOW ? source : (int) (batch.locals()[0] / window);
    return new Tuple2<>(new BatchKey(owner, place, sequence++), batch);
  }

  /**
   * Decides whether combining pays, repeatedly: parts of the input can differ in their duplicates.
   */
  private static final class Trial {
    private long retained;
    private long combined;

    boolean fails(OpenBatches bins) {
      long more = bins.retained() - retained;
      long saved = bins.combined() - combined;
      if (more + saved < TRIAL) {
        return false;
      }
      retained = bins.retained();
      combined = bins.combined();
      return saved * PAYS < more + saved;
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.BlockLayout;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceBlocks;
import io.sparknd.kernel.SliceFold;
import io.sparknd.kernel.spi.KernelProvider;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The open batches of a task, one for each destination partition. Rows are not copied one by one:
 * the destination of each is recorded, and the kernels move up to 1024 rows at a time, since
 * filling bins is itself a scatter.
 */
public final class OpenBatches {
  private final Storage storage;
  private final int units;
  private final int capacity;
  private final Bin[] bins;
  private final Object[] payloads;
  private final Moves copies;
  private final @Nullable Moves folds;

  /**
   * Returns batches without map-side combining.
   *
   * @param units length of a row in units of {@code storage}
   * @param bytes the maximum bytes of one batch
   */
  public static OpenBatches uncombined(int partitions, Storage storage, int units, int bytes) {
    return new OpenBatches(partitions, storage, units, bytes, Long.BYTES, null);
  }

  /**
   * Returns batches with map-side combining: an update is folded into an earlier one of the same
   * slice.
   */
  static OpenBatches combining(int partitions, MapSideCombine how, int units, int bytes) {
    int keyed = Long.BYTES + KeyDictionary.KEY_BYTES;
    return new OpenBatches(partitions, how.dtype().storage(), units, bytes, keyed, how);
  }

  private OpenBatches(
      int partitions,
      Storage storage,
      int units,
      int bytes,
      int besidesRow,
      @Nullable MapSideCombine how) {
    this.storage = storage;
    this.units = units;
    long row = besidesRow + (long) units * BlockLayout.unitBytes(storage);
    this.capacity = Integer.highestOneBit((int) Math.max(1, bytes / row));
    this.bins = new Bin[partitions];
    this.payloads = storage.allocateBlocks(partitions);
    SliceBlocks blocks = SliceBlocks.owned(storage, payloads, capacity, units);
    this.copies =
        new Moves(
            new SliceFold(KernelProviders.automatic(), mover(storage), Scatter.update(), blocks));
    this.folds = how == null ? null : new Moves(fold(how, blocks));
  }

  private static SliceFold fold(MapSideCombine how, SliceBlocks blocks) {
    KernelProvider kernels = KernelProviders.named(how.kernel()).forSmallBatches();
    return new SliceFold(kernels, how.dtype(), Scatter.of(how.with()), blocks);
  }

  /** Returns any dtype of {@code storage}; moving an element moves its bits. */
  private static DType mover(Storage storage) {
    return Arrays.stream(DType.values())
        .filter(dtype -> dtype.storage() == storage && dtype.units() == 1)
        .findFirst()
        .orElseThrow();
  }

  /** Updates so far that occupy a row of their own. */
  long retained() {
    return copies.made;
  }

  /** Updates so far that were folded into others. */
  long combined() {
    return folds == null ? 0 : folds.made;
  }

  public boolean isEmpty(int owner) {
    return bins[owner] == null || bins[owner].borrowed != null;
  }

  /** The local number of the first update in an open batch. */
  long firstLocal(int owner) {
    return bins[owner].locals[0];
  }

  /**
   * Adds an update.
   *
   * @param from rows, which must not change until {@link #move}
   * @param row the update's row in {@code from}
   * @return whether the batch is full now
   */
  public boolean add(int owner, long local, Object from, int row) {
    if (folds != null) {
      return combine(folds, owner, local, from, row);
    }
    Bin bin = bin(owner, Bin.Kind.PLAIN);
    addRow(owner, bin, from, row);
    bin.addLocal(local);
    return bin.count == capacity;
  }

  private boolean combine(Moves folds, int owner, long local, Object from, int row) {
    Bin bin = bin(owner, Bin.Kind.COMBINED);
    int number = bin.codes().code(local);
    if (number < bin.payloadRows) {
      if (folds.isFull()) {
        move(from);
      }
      folds.note((long) owner * capacity + number, row);
      return false;
    }
    addRow(owner, bin, from, row);
    bin.addLocal(local);
    return bin.count == capacity;
  }

  /**
   * Adds an update whose row the batch may already hold under the same key. Returns whether the
   * batch is full now.
   */
  boolean add(int owner, long local, Object from, int row, long key) {
    Bin bin = bin(owner, Bin.Kind.SHARED);
    int number = bin.codes().code(key);
    if (number == bin.payloadRows) {
      addRow(owner, bin, from, row);
    }
    bin.addLocal(local, number);
    return bin.payloadRows == capacity || bin.count == Bin.SHARING * (long) capacity;
  }

  private Bin bin(int owner, Bin.Kind kind) {
    Bin bin = bins[owner];
    if (bin == null || (bin.borrowed != null && !bin.borrowed.isWritten())) {
      bin = bins[owner] = new Bin(kind);
      payloads[owner] = storage.allocate(Math.min(capacity, Bin.FIRST) * units);
    } else if (bin.borrowed != null) {
      bin.clear();
    }
    return bin;
  }

  private void addRow(int owner, Bin bin, Object from, int row) {
    if (copies.isFull()) {
      move(from);
    }
    int number = bin.payloadRows++;
    int length = storage.length(payloads[owner]);
    if (bin.payloadRows * units > length) {
      Object larger = storage.allocate(Math.min(capacity, 4 * number) * units);
      System.arraycopy(payloads[owner], 0, larger, 0, length);
      payloads[owner] = larger;
    }
    copies.note((long) owner * capacity + number, row);
  }

  /** Moves all recorded rows. Rows that are folded into others move after those. */
  public void move(Object from) {
    copies.make(from);
    if (folds != null) {
      folds.make(from);
    }
  }

  /**
   * Returns an open batch whose rows have been moved. The batch borrows the bin's arrays: once it
   * is written, later updates of the same owner reuse them.
   */
  public ShuffleBatch take(int owner) {
    Bin bin = bins[owner];
    bin.borrowed =
        new ShuffleBatch(
            storage, bin.count, bin.locals, bin.rows, payloads[owner], bin.payloadRows * units);
    return bin.borrowed;
  }

  /** Recorded row moves that are not yet done. */
  private static final class Moves {
    private static final int MAX = 1024;

    private final SliceFold fold;
    private final long[] slots = new long[MAX];
    private final int[] rows = new int[MAX];
    private int count;
    private long made;

    Moves(SliceFold fold) {
      this.fold = fold;
    }

    boolean isFull() {
      return count == MAX;
    }

    void note(long slot, int row) {
      slots[count] = slot;
      rows[count++] = row;
    }

    void make(Object from) {
      fold.apply(slots, rows, 0, 0, count, from);
      made += count;
      count = 0;
    }
  }

  /** An open batch without its payload. It starts small, since most calls fill few. */
  private static final class Bin {
    /** How the updates of a bin map to rows. */
    enum Kind {
      /** Each update has its own row. */
      PLAIN,
      /** The updates of one slice are one update. */
      COMBINED,
      /** The updates of one key share a row. */
      SHARED
    }

    static final int FIRST = 32;

    /** The maximum updates of a batch with shared rows, as a multiple of its row capacity. */
    static final int SHARING = 8;

    final @Nullable KeyDictionary codes;
    long[] locals = new long[FIRST];
    int @Nullable [] rows;
    int count;
    int payloadRows;
    @Nullable ShuffleBatch borrowed;

    Bin(Kind kind) {
      this.codes = kind == Kind.PLAIN ? null : new KeyDictionary();
      this.rows = kind == Kind.SHARED ? new int[FIRST] : null;
    }

    KeyDictionary codes() {
      return Objects.requireNonNull(codes);
    }

    void clear() {
      count = 0;
      payloadRows = 0;
      borrowed = null;
      if (codes != null) {
        codes.clear();
      }
    }

    void addLocal(long local) {
      if (count == locals.length) {
        locals = Arrays.copyOf(locals, 4 * count);
      }
      locals[count++] = local;
    }

    void addLocal(long local, int row) {
      int[] all = Objects.requireNonNull(rows);
      if (count == all.length) {
        all = Arrays.copyOf(all, 4 * count);
        rows = all;
      }
      all[count] = row;
      addLocal(local);
    }
  }
}

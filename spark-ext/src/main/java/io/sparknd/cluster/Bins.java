/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster;

import io.sparknd.kernel.Blocks;
import io.sparknd.kernel.KernelProvider;
import io.sparknd.kernel.KernelProviders;
import io.sparknd.kernel.SliceFold;
import io.sparknd.op.Scatter;
import io.sparknd.tensor.DType;
import io.sparknd.tensor.Storage;
import java.util.Arrays;

/**
 * The open batches of a task, one for each partition that updates go to. Rows are not moved one by
 * one: where each goes is noted, and the kernels move a thousand at a time, since filling bins is a
 * scatter like any other.
 */
final class Bins {
  /** Moves noted before they are made. */
  private static final int NOTED = 1024;

  private final Storage storage;
  private final int units;
  private final int capacity;
  private final Bin[] bins;
  private final Object[] payloads;
  private final SliceFold copy;
  private final long[] slots = new long[NOTED];
  private final int[] rows = new int[NOTED];
  private int noted;

  /**
   * @param units length of a row in units of {@code storage}
   * @param bytes that one batch should have at most
   */
  Bins(int partitions, Storage storage, int units, int bytes) {
    this.storage = storage;
    this.units = units;
    this.capacity = capacity(storage, units, bytes);
    this.bins = new Bin[partitions];
    this.payloads = storage.allocateBlocks(partitions);
    Blocks blocks = Blocks.owned(storage, payloads, capacity, units);
    KernelProvider kernels = KernelProviders.automatic();
    this.copy = new SliceFold(kernels, mover(storage), Scatter.update(), blocks);
  }

  private static int capacity(Storage storage, int units, int bytes) {
    long row = Long.BYTES + (long) units * BlockLayout.unitBytes(storage);
    return Integer.highestOneBit((int) Math.max(1, bytes / row));
  }

  /** Any dtype of {@code storage}: to move an element is to move its bits. */
  private static DType mover(Storage storage) {
    return Arrays.stream(DType.values())
        .filter(dtype -> dtype.storage() == storage && dtype.units() == 1)
        .findFirst()
        .orElseThrow();
  }

  boolean isEmpty(int owner) {
    return bins[owner] == null || bins[owner].lent != null;
  }

  /** The offset of the first update in an open batch. */
  long firstOffset(int owner) {
    return bins[owner].offsets[0];
  }

  /**
   * Adds an update.
   *
   * @param from rows, which must stay as they are until {@link #move}
   * @param row of {@code from} that is the update's
   * @return whether the batch is full now
   */
  boolean add(int owner, long local, Object from, int row) {
    Bin bin = bin(owner, false);
    note(owner, bin.payloadRows++, from, row);
    bin.addOffset(local);
    return bin.count == capacity;
  }

  /** Adds an update whose row may be in the batch already, under the same key. */
  boolean add(int owner, long local, Object from, int row, long key) {
    Bin bin = bin(owner, true);
    int number = bin.numbers.number(key);
    if (number == bin.payloadRows) {
      note(owner, bin.payloadRows++, from, row);
    }
    bin.addOffset(local, number);
    return bin.payloadRows == capacity || bin.count == Bin.SHARING * (long) capacity;
  }

  private Bin bin(int owner, boolean shared) {
    Bin bin = bins[owner];
    if (bin == null || (bin.lent != null && !bin.lent.isWritten())) {
      bin = bins[owner] = new Bin(shared);
      payloads[owner] = storage.allocate(Math.min(capacity, Bin.FIRST) * units);
    } else if (bin.lent != null) {
      bin.clear();
    }
    return bin;
  }

  private void note(int owner, int number, Object from, int row) {
    if (noted == NOTED) {
      move(from);
    }
    int length = storage.length(payloads[owner]);
    if ((number + 1) * units > length) {
      Object larger = storage.allocate(Math.min(capacity, 4 * number) * units);
      System.arraycopy(payloads[owner], 0, larger, 0, length);
      payloads[owner] = larger;
    }
    slots[noted] = (long) owner * capacity + number;
    rows[noted++] = row;
  }

  /** Moves all rows that were noted. */
  void move(Object from) {
    copy.apply(slots, rows, 0, 0, noted, from);
    noted = 0;
  }

  /**
   * An open batch as it is, whose rows have been moved. Its arrays are lent: once it is written,
   * the next updates of the same owner go there.
   */
  UpdateBatch take(int owner) {
    Bin bin = bins[owner];
    bin.lent =
        new UpdateBatch(
            storage, bin.count, bin.offsets, bin.rows, payloads[owner], bin.payloadRows * units);
    return bin.lent;
  }

  /** An open batch but for its payload; it starts small, since most calls fill few. */
  private static final class Bin {
    static final int FIRST = 32;

    /** Updates that may share rows, to a row that a batch has room for. */
    static final int SHARING = 8;

    final RowNumbers numbers;
    long[] offsets = new long[FIRST];
    int[] rows;
    int count;
    int payloadRows;
    UpdateBatch lent;

    Bin(boolean shared) {
      this.numbers = shared ? new RowNumbers() : null;
      this.rows = shared ? new int[FIRST] : null;
    }

    void clear() {
      count = 0;
      payloadRows = 0;
      lent = null;
      if (numbers != null) {
        numbers.clear();
      }
    }

    void addOffset(long local) {
      if (count == offsets.length) {
        offsets = Arrays.copyOf(offsets, 4 * count);
      }
      offsets[count++] = local;
    }

    void addOffset(long local, int row) {
      if (count == rows.length) {
        rows = Arrays.copyOf(rows, 4 * count);
      }
      rows[count] = row;
      addOffset(local);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.gather;

import io.sparknd.cluster.internal.columnar.RowBytes;
import io.sparknd.cluster.internal.partition.BlockLayout.Pieces;
import io.sparknd.cluster.internal.rows.RowIndices;
import io.sparknd.cluster.internal.shuffle.BatchIterator;
import io.sparknd.cluster.internal.shuffle.BatchKey;
import io.sparknd.cluster.internal.shuffle.ShuffleBatch;
import io.sparknd.op.SliceOffsets;
import io.sparknd.op.TupleOffset;
import io.sparknd.tensor.Storage;
import java.util.Arrays;
import java.util.Iterator;
import org.apache.spark.sql.catalyst.InternalRow;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/**
 * Bins the index rows of one source partition by the partition that owns their slices. In a batch,
 * the payload holds rows as raw bytes, {@code locals} the numbers of their slices in the owner, and
 * {@code rows} the position at which each row begins. Rows without a slice are distributed by their
 * hash: by their position they would be lost or come twice if Spark runs a map task again whose
 * rows then come in another order. As in {@link io.sparknd.cluster.internal.shuffle.RowBinner}, a
 * batch is emitted when it is full, and memory is bounded by {@link #BUDGET}, or by {@link
 * #SMALLEST_BATCH} per owner.
 */
final class IndexRowBinner extends BatchIterator {
  /** Bytes in all open batches of a task. */
  private static final int BUDGET = 64 << 20;

  private static final int LARGEST_BATCH = 1 << 20;
  private static final int SMALLEST_BATCH = 8 << 10;

  private final int source;
  private final Iterator<InternalRow> rows;
  private final RowIndices indices;
  private final Pieces pieces;
  private final int capacity;
  private final Bin[] bins;
  private int drained;
  private int sequence;

  /**
   * @param source number of the source partition
   * @param pieces the tensor's slices, each inside one block
   */
  IndexRowBinner(int source, Iterator<InternalRow> rows, RowIndices indices, Pieces pieces) {
    this.source = source;
    this.rows = rows;
    this.indices = indices;
    this.pieces = pieces;
    int budget = BUDGET / pieces.partitions();
    this.capacity = Math.max(SMALLEST_BATCH, Math.min(LARGEST_BATCH, budget));
    this.bins = new Bin[pieces.partitions()];
  }

  @Override
  protected @Nullable Tuple2<BatchKey, ShuffleBatch> advance() {
    while (rows.hasNext()) {
      InternalRow row = rows.next();
      long slice = indices.offset(row);
      int owner = slice < 0 ? spare(row) : pieces.owner(slice);
      if (bins[owner] == null) {
        bins[owner] = new Bin(capacity);
      }
      if (bins[owner].add(slice < 0 ? noSlice() : pieces.local(slice), row)) {
        return emit(owner);
      }
    }
    while (drained < bins.length) {
      int owner = drained++;
      if (bins[owner] != null) {
        return emit(owner);
      }
    }
    return null;
  }

  /** Returns where a row without a slice goes: equal rows of other sources to other owners. */
  private int spare(InternalRow row) {
    return Math.floorMod(RowBytes.hash(row) + source, bins.length);
  }

  /**
   * Returns the marker of a row without a slice. A row with an error fails the call, so it is
   * normally never read. If an executor is lost and the recomputed rows differ from those checked,
   * {@code INVALID} keeps such a row from being filled.
   */
  private long noSlice() {
    return indices.failed() ? TupleOffset.INVALID : SliceOffsets.DROPPED;
  }

  private Tuple2<BatchKey, ShuffleBatch> emit(int owner) {
    ShuffleBatch batch = bins[owner].batch();
    bins[owner] = null;
    return new Tuple2<>(new BatchKey(owner, source, sequence++), batch);
  }

  /** An open batch. Its arrays start small, since most calls fill few batches. */
  private static final class Bin {
    private final int capacity;
    private long[] locals = new long[32];
    private int[] starts = new int[32];
    private byte[] bytes = new byte[1024];
    private int count;
    private int length;

    Bin(int capacity) {
      this.capacity = capacity;
    }

    /** Adds a row; returns whether the bin is now full. */
    boolean add(long local, InternalRow row) {
      int rowLength = RowBytes.length(row);
      reserve(rowLength);
      locals[count] = local;
      starts[count++] = length;
      RowBytes.copy(row, bytes, length);
      length += rowLength;
      return length + 12 * count >= capacity;
    }

    private void reserve(int rowLength) {
      if (count == locals.length) {
        locals = Arrays.copyOf(locals, 4 * count);
        starts = Arrays.copyOf(starts, 4 * count);
      }
      if (length + rowLength > bytes.length) {
        int larger = Math.min(4 * bytes.length, capacity);
        bytes = Arrays.copyOf(bytes, Math.max(larger, Math.addExact(length, rowLength)));
      }
    }

    ShuffleBatch batch() {
      return new ShuffleBatch(Storage.BYTE, count, locals, starts, bytes, length);
    }
  }
}

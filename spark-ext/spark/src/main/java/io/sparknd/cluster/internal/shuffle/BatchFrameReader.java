/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import scala.Tuple2;

/** Reads what {@link BatchFrames} wrote into arrays, while its pieces arrive. */
public final class BatchFrameReader {
  private final Storage storage;
  private final IntFunction<Object> payloads;
  private final List<Tuple2<BatchKey, ShuffleBatch>> batches = new ArrayList<>();

  /** The header of the next batch, or the bytes of a unit that came in two pieces. */
  private final ByteBuffer partial =
      ByteBuffer.allocate(BatchFrames.HEADER_BYTES).order(ByteOrder.LITTLE_ENDIAN);

  /** The batch whose arrays arrive; null before its header. */
  private @Nullable Arriving batch;

  /**
   * Reads nothing yet.
   *
   * @param payloads gives an array of at least so many units for a payload
   */
  public BatchFrameReader(Storage storage, IntFunction<Object> payloads) {
    this.storage = storage;
    this.payloads = payloads;
  }

  /** Reads the next bytes of the frame, all that {@code piece} has, which may be none. */
  public void read(ByteBuffer piece) {
    piece.order(ByteOrder.LITTLE_ENDIAN);
    while (piece.hasRemaining() || isWhole()) {
      if (batch == null) {
        readHeader(piece);
      } else if (batch.read(piece, partial)) {
        batches.add(batch.whole());
        batch = null;
      }
    }
  }

  /** Returns whether all arrays of a batch have arrived, of which the last may have no units. */
  private boolean isWhole() {
    return batch != null && batch.isWhole();
  }

  private void readHeader(ByteBuffer piece) {
    if (take(piece, partial, BatchFrames.HEADER_BYTES)) {
      batch = new Arriving(partial.flip());
      partial.clear();
    }
  }

  /** Moves bytes to {@code to}, until it has so many; returns whether it has. */
  private static boolean take(ByteBuffer from, ByteBuffer to, int bytes) {
    while (to.position() < bytes && from.hasRemaining()) {
      to.put(from.get());
    }
    return to.position() == bytes;
  }

  /**
   * Returns the batches.
   *
   * @throws IllegalStateException if the frame ended inside one of them
   */
  public List<Tuple2<BatchKey, ShuffleBatch>> batches() {
    if (batch != null || partial.position() > 0) {
      throw new IllegalStateException("a frame ended inside a batch");
    }
    return batches;
  }

  /** A batch whose arrays arrive one after the other. */
  private final class Arriving {
    private final BatchKey key;
    private final int count;
    private final boolean isNarrow;
    private final int units;
    private final long[] locals;
    private final int @Nullable [] rows;
    private final Object payload;

    /** Units of each array that have arrived. */
    private int localsRead;

    private int rowsRead;
    private int payloadRead;

    Arriving(ByteBuffer header) {
      this.key = new BatchKey(header.getInt(), header.getInt(), header.getInt());
      this.count = header.getInt();
      int flags = header.getInt();
      this.isNarrow = (flags & BatchFrames.NARROW) != 0;
      this.units = header.getInt();
      this.locals = new long[count];
      this.rows = (flags & BatchFrames.ROWS) == 0 ? null : new int[count];
      this.payload = payloads.apply(units);
    }

    boolean isWhole() {
      return localsRead == count && (rows == null || rowsRead == count) && payloadRead == units;
    }

    Tuple2<BatchKey, ShuffleBatch> whole() {
      return new Tuple2<>(key, new ShuffleBatch(storage, count, locals, rows, payload, units));
    }

    /** Reads what a piece has of the arrays, and returns whether they are whole. */
    boolean read(ByteBuffer piece, ByteBuffer partial) {
      if (localsRead < count) {
        localsRead += readLocals(piece, partial);
      }
      if (localsRead == count && rows != null && rowsRead < count) {
        rowsRead += units(piece, partial, Storage.INT, rows, rowsRead, count);
      }
      if (localsRead == count && (rows == null || rowsRead == count) && payloadRead < units) {
        payloadRead += units(piece, partial, storage, payload, payloadRead, units);
      }
      return isWhole();
    }

    private int readLocals(ByteBuffer piece, ByteBuffer partial) {
      if (!isNarrow) {
        return units(piece, partial, Storage.LONG, locals, localsRead, count);
      }
      int[] narrow = new int[Math.min(count - localsRead, piece.remaining() / Integer.BYTES + 1)];
      int read = units(piece, partial, Storage.INT, narrow, 0, narrow.length);
      for (int i = 0; i < read; i++) {
        locals[localsRead + i] = narrow[i];
      }
      return read;
    }
  }

  /**
   * Reads units {@code [from, ..)} of an array, at most up to {@code to}; returns how many. What a
   * piece has of the next one waits in {@code partial}.
   */
  private static int units(
      ByteBuffer piece, ByteBuffer partial, Storage storage, Object array, int from, int to) {
    int at = from;
    int bytes = storage.bytes();
    if (partial.position() > 0 && take(piece, partial, bytes)) {
      storage.get(partial.flip(), array, at++, 1);
      partial.clear();
    }
    int whole = Math.min(piece.remaining() / bytes, to - at);
    storage.get(piece, array, at, whole);
    piece.position(piece.position() + whole * bytes);
    at += whole;
    if (at < to) {
      take(piece, partial, bytes);
    }
    return at - from;
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.IntBuffer;
import java.util.ArrayList;
import java.util.List;
import scala.Tuple2;

/**
 * Batches of numbers as bytes in memory, in little-endian buffers; {@link BatchFrameReader} reads
 * them. A batch is six ints: the three of its key, its count, its {@link #ROWS flags}, and the
 * units of its payload; then its locals, its rows if it has any, and its payload.
 */
public final class BatchFrames {
  /** Bytes before the arrays of a batch. */
  static final int HEADER_BYTES = 6 * Integer.BYTES;

  /** The batch has rows. */
  static final int ROWS = 1;

  /** Its locals are ints. */
  static final int NARROW = 2;

  private BatchFrames() {}

  /**
   * Returns batches in parts of at most {@code most} bytes, or one batch if that is larger; at
   * least one part.
   */
  public static List<List<Tuple2<BatchKey, ShuffleBatch>>> split(
      List<Tuple2<BatchKey, ShuffleBatch>> batches, long most) {
    List<List<Tuple2<BatchKey, ShuffleBatch>>> parts = new ArrayList<>();
    List<Tuple2<BatchKey, ShuffleBatch>> part = new ArrayList<>();
    long bytes = 0;
    for (Tuple2<BatchKey, ShuffleBatch> batch : batches) {
      long more = bytes(batch._2());
      if (bytes + more > most && !part.isEmpty()) {
        parts.add(part);
        part = new ArrayList<>();
        bytes = 0;
      }
      part.add(batch);
      bytes += more;
    }
    parts.add(part);
    return parts;
  }

  /** Returns the bytes that {@link #write} takes. */
  public static int bytes(List<Tuple2<BatchKey, ShuffleBatch>> batches) {
    return Math.toIntExact(batches.stream().mapToLong(batch -> bytes(batch._2())).sum());
  }

  private static long bytes(ShuffleBatch batch) {
    long count = batch.count();
    return HEADER_BYTES
        + count * (isNarrow(batch) ? Integer.BYTES : Long.BYTES)
        + (batch.rows() == null ? 0 : count * Integer.BYTES)
        + (long) batch.payloadUnits() * batch.storage().bytes();
  }

  private static boolean isNarrow(ShuffleBatch batch) {
    long all = 0;
    for (int i = 0; i < batch.count(); i++) {
      all |= batch.locals()[i];
    }
    return all >= 0 && all <= Integer.MAX_VALUE;
  }

  /** Writes batches at the position of {@code frame}. */
  public static void write(ByteBuffer frame, List<Tuple2<BatchKey, ShuffleBatch>> batches) {
    for (Tuple2<BatchKey, ShuffleBatch> each : batches) {
      BatchKey key = each._1();
      ShuffleBatch batch = each._2();
      boolean isNarrow = isNarrow(batch);
      int[] rows = batch.rows();
      frame.putInt(key.partition()).putInt(key.source()).putInt(key.sequence());
      frame.putInt(batch.count());
      frame.putInt((rows == null ? 0 : ROWS) + (isNarrow ? NARROW : 0));
      frame.putInt(batch.payloadUnits());
      if (isNarrow) {
        putNarrow(frame, batch);
      } else {
        put(frame, Storage.LONG, batch.locals(), batch.count());
      }
      if (rows != null) {
        put(frame, Storage.INT, rows, batch.count());
      }
      put(frame, batch.storage(), batch.payload(), batch.payloadUnits());
    }
  }

  private static void putNarrow(ByteBuffer frame, ShuffleBatch batch) {
    IntBuffer ints = frame.asIntBuffer();
    long[] locals = batch.locals();
    for (int i = 0; i < batch.count(); i++) {
      ints.put(i, (int) locals[i]);
    }
    frame.position(frame.position() + batch.count() * Integer.BYTES);
  }

  private static void put(ByteBuffer frame, Storage storage, Object array, int units) {
    storage.put(array, 0, units, frame);
    frame.position(frame.position() + units * storage.bytes());
  }
}

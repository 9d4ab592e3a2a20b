/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntFunction;
import scala.Tuple2;

/** Batches of numbers as bytes in memory, in little-endian buffers. */
public final class BatchFrames {
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
      long more = batch._2().recordBytes();
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
    return Math.toIntExact(batches.stream().mapToLong(batch -> batch._2().recordBytes()).sum());
  }

  /** Writes batches at the position of {@code frame}. */
  public static void write(ByteBuffer frame, List<Tuple2<BatchKey, ShuffleBatch>> batches) {
    for (Tuple2<BatchKey, ShuffleBatch> each : batches) {
      BatchKey key = each._1();
      ShuffleBatch batch = each._2();
      int[] rows = batch.rows();
      frame.putInt(key.partition()).putInt(key.source()).putInt(key.sequence());
      frame.putInt(batch.count()).putInt(rows == null ? 0 : 1).putInt(batch.payloadUnits());
      put(frame, Storage.LONG, batch.locals(), batch.count());
      if (rows != null) {
        put(frame, Storage.INT, rows, batch.count());
      }
      put(frame, batch.storage(), batch.payload(), batch.payloadUnits());
    }
  }

  /**
   * Reads batches up to the limit of {@code frame}.
   *
   * @param payloads gives an array of at least so many units for a payload
   */
  public static List<Tuple2<BatchKey, ShuffleBatch>> read(
      ByteBuffer frame, Storage storage, IntFunction<Object> payloads) {
    List<Tuple2<BatchKey, ShuffleBatch>> batches = new ArrayList<>();
    while (frame.hasRemaining()) {
      BatchKey key = new BatchKey(frame.getInt(), frame.getInt(), frame.getInt());
      int count = frame.getInt();
      int[] rows = frame.getInt() == 0 ? null : new int[count];
      int units = frame.getInt();
      long[] locals = new long[count];
      take(frame, Storage.LONG, locals, count);
      if (rows != null) {
        take(frame, Storage.INT, rows, count);
      }
      Object payload = payloads.apply(units);
      take(frame, storage, payload, units);
      batches.add(
          new Tuple2<>(key, new ShuffleBatch(storage, count, locals, rows, payload, units)));
    }
    return batches;
  }

  private static void put(ByteBuffer frame, Storage storage, Object array, int units) {
    storage.put(array, 0, units, frame);
    frame.position(frame.position() + units * storage.bytes());
  }

  private static void take(ByteBuffer frame, Storage storage, Object array, int units) {
    storage.get(frame, array, 0, units);
    frame.position(frame.position() + units * storage.bytes());
  }
}

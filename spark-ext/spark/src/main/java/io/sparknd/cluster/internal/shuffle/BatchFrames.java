/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.tensor.Storage;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import scala.Tuple2;
import scala.reflect.ClassTag;
import scala.reflect.ClassTag$;

/** Batches as bytes in memory, in the format of shuffles. */
public final class BatchFrames {
  private static final ClassTag<BatchKey> KEY = ClassTag$.MODULE$.apply(BatchKey.class);
  private static final ClassTag<ShuffleBatch> BATCH = ClassTag$.MODULE$.apply(ShuffleBatch.class);

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

  /** Writes batches, which all have the same storage, after {@code buffer.position()}. */
  public static ByteBuffer written(
      int header, List<Tuple2<BatchKey, ShuffleBatch>> batches, Storage storage) {
    long bytes = header + batches.stream().mapToLong(batch -> batch._2().recordBytes()).sum();
    ByteBuffer frame = ByteBuffer.allocate(Math.toIntExact(bytes));
    frame.position(header);
    SerializationStream out =
        new BatchSerializer(storage).newInstance().serializeStream(new BufferOutput(frame));
    for (Tuple2<BatchKey, ShuffleBatch> batch : batches) {
      out.writeKey(batch._1(), KEY);
      out.writeValue(batch._2(), BATCH);
    }
    return frame.flip();
  }

  /** Reads batches up to the end of {@code frame}. */
  public static List<Tuple2<BatchKey, ShuffleBatch>> read(ByteBuffer frame, Storage storage) {
    DeserializationStream in =
        new BatchSerializer(storage).newInstance().deserializeStream(new BufferInput(frame));
    List<Tuple2<BatchKey, ShuffleBatch>> batches = new ArrayList<>();
    while (frame.hasRemaining()) {
      BatchKey key = in.readKey(KEY);
      batches.add(new Tuple2<>(key, in.readValue(BATCH)));
    }
    return batches;
  }

  private static final class BufferOutput extends OutputStream {
    private final ByteBuffer buffer;

    BufferOutput(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public void write(int value) {
      buffer.put((byte) value);
    }

    @Override
    public void write(byte[] bytes, int from, int count) {
      buffer.put(bytes, from, count);
    }
  }

  private static final class BufferInput extends InputStream {
    private final ByteBuffer buffer;

    BufferInput(ByteBuffer buffer) {
      this.buffer = buffer;
    }

    @Override
    public int read() {
      return buffer.hasRemaining() ? buffer.get() & 0xff : -1;
    }

    @Override
    public int read(byte[] bytes, int from, int count) {
      if (!buffer.hasRemaining()) {
        return count == 0 ? 0 : -1;
      }
      int now = Math.min(count, buffer.remaining());
      buffer.get(bytes, from, now);
      return now;
    }
  }
}

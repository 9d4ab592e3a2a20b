/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.shuffle;

import io.sparknd.cluster.internal.partition.RawArrays;
import io.sparknd.cluster.internal.spark.SneakyThrow;
import io.sparknd.tensor.Storage;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.Serializable;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.apache.spark.serializer.DeserializationStream;
import org.apache.spark.serializer.SerializationStream;
import org.apache.spark.serializer.Serializer;
import org.apache.spark.serializer.SerializerInstance;
import scala.reflect.ClassTag;

/**
 * Serializes batches as raw bytes. Java, Kryo and Arrow serialization would add only overhead: a
 * batch is two or three primitive arrays to copy. Serialized records can be relocated, so Spark's
 * serialized shuffle writers accept them.
 */
final class BatchSerializer extends Serializer implements Serializable {
  private static final long serialVersionUID = 1;

  private final Storage storage;

  BatchSerializer(Storage storage) {
    this.storage = storage;
  }

  @Override
  public boolean supportsRelocationOfSerializedObjects() {
    return true;
  }

  @Override
  public SerializerInstance newInstance() {
    return new Instance(storage);
  }

  private static final class Instance extends SerializerInstance {
    private final Storage storage;
    private final RawArrays raw = new RawArrays();

    Instance(Storage storage) {
      this.storage = storage;
    }

    @Override
    public SerializationStream serializeStream(OutputStream out) {
      return new Writer(out, raw);
    }

    @Override
    public DeserializationStream deserializeStream(InputStream in) {
      return new Reader(in, storage, raw);
    }

    @Override
    public <T> ByteBuffer serialize(T value, ClassTag<T> tag) {
      throw streamsOnly();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassTag<T> tag) {
      throw streamsOnly();
    }

    @Override
    public <T> T deserialize(ByteBuffer bytes, ClassLoader loader, ClassTag<T> tag) {
      throw streamsOnly();
    }
  }

  private static IllegalStateException streamsOnly() {
    return new IllegalStateException(
        "this serializer only supports streams of key-value pairs, as in a shuffle");
  }

  private static final class Writer extends SerializationStream {
    private final OutputStream out;
    private final RawArrays raw;

    Writer(OutputStream out, RawArrays raw) {
      this.out = out;
      this.raw = raw;
    }

    @Override
    public <T> SerializationStream writeKey(T key, ClassTag<T> tag) {
      BatchKey place = (BatchKey) key;
      try {
        raw.writeInt(out, place.partition());
        raw.writeInt(out, place.source());
        raw.writeInt(out, place.sequence());
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return this;
    }

    @Override
    public <T> SerializationStream writeValue(T value, ClassTag<T> tag) {
      ShuffleBatch batch = (ShuffleBatch) value;
      try {
        raw.writeInt(out, batch.count());
        raw.writeInt(out, batch.rows() == null ? 0 : 1);
        raw.writeInt(out, batch.payloadUnits());
        raw.write(out, Storage.LONG, batch.locals(), 0, batch.count());
        if (batch.rows() != null) {
          raw.write(out, Storage.INT, batch.rows(), 0, batch.count());
        }
        raw.write(out, batch.storage(), batch.payload(), 0, batch.payloadUnits());
        batch.markWritten();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return this;
    }

    @Override
    public <T> SerializationStream writeObject(T value, ClassTag<T> tag) {
      throw streamsOnly();
    }

    @Override
    public void flush() {
      try {
        out.flush();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public void close() {
      try {
        out.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }

  private static final class Reader extends DeserializationStream {
    private final InputStream in;
    private final Storage storage;
    private final RawArrays raw;

    Reader(InputStream in, Storage storage, RawArrays raw) {
      this.in = in;
      this.storage = storage;
      this.raw = raw;
    }

    /** Throws an undeclared EOFException at the end of the stream, where Spark expects it. */
    @Override
    public <T> T readKey(ClassTag<T> tag) {
      try {
        int first = in.read();
        if (first < 0) {
          throw new EOFException();
        }
        return cast(key(first));
      } catch (IOException e) {
        throw SneakyThrow.thrown(e);
      }
    }

    private BatchKey key(int first) throws IOException {
      return inside(
          () -> {
            byte[] rest = in.readNBytes(Integer.BYTES - 1);
            if (rest.length < Integer.BYTES - 1) {
              throw new EOFException();
            }
            int partition = first | (rest[0] & 0xff) << 8 | (rest[1] & 0xff) << 16 | rest[2] << 24;
            return new BatchKey(partition, raw.readInt(in), raw.readInt(in));
          });
    }

    @Override
    public <T> T readValue(ClassTag<T> tag) {
      try {
        return cast(inside(this::batch));
      } catch (IOException e) {
        throw SneakyThrow.thrown(e);
      }
    }

    private ShuffleBatch batch() throws IOException {
      int count = raw.readInt(in);
      boolean hasRows = raw.readInt(in) == 1;
      int payloadUnits = raw.readInt(in);
      long[] locals = new long[count];
      raw.read(in, Storage.LONG, locals, 0, count);
      int[] rows = hasRows ? rows(count) : null;
      Object payload = storage.allocate(payloadUnits);
      raw.read(in, storage, payload, 0, payloadUnits);
      return new ShuffleBatch(storage, count, locals, rows, payload, payloadUnits);
    }

    private interface Part<T> {
      T read() throws IOException;
    }

    /** Reads inside a batch. Spark takes an EOFException there for the end of all batches. */
    private static <T> T inside(Part<T> part) throws IOException {
      try {
        return part.read();
      } catch (EOFException e) {
        throw new IOException("a shuffle's stream ends inside a batch", e);
      }
    }

    private int[] rows(int count) throws IOException {
      int[] rows = new int[count];
      raw.read(in, Storage.INT, rows, 0, count);
      return rows;
    }

    @Override
    public <T> T readObject(ClassTag<T> tag) {
      throw streamsOnly();
    }

    @Override
    public void close() {
      try {
        in.close();
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"}) // as Spark declares readers
    private static <T> T cast(Object value) {
      return (T) value;
    }
  }
}

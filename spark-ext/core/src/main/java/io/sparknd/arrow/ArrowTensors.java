/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.Storage;
import io.sparknd.tensor.Tensor;
import io.sparknd.tensor.internal.AtomicFile;
import java.io.Flushable;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.PushbackInputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.compression.CompressionCodec;
import org.apache.arrow.vector.ipc.ArrowReader;
import org.apache.arrow.vector.ipc.ArrowStreamReader;

/**
 * Writes and reads local tensors as Arrow IPC streams. The package description defines the column
 * format. {@link ArrowTensorWriter} writes tensors larger than one array.
 */
public final class ArrowTensors {
  private static final byte[] FILE_START = "ARROW1\0\0".getBytes(StandardCharsets.US_ASCII);
  private static final byte[] STREAM_START = {-1, -1, -1, -1};

  private ArrowTensors() {}

  /** Writes {@code tensor} to {@code out}, which is flushed and left open. */
  public static void write(Tensor tensor, OutputStream out) throws IOException {
    write(tensor, Channels.newChannel(out), out, new RootAllocator());
  }

  /**
   * Writes {@code tensor} to {@code file} atomically; if this fails, the file is as it was before.
   * A symbolic link is followed; a pipe or device is written directly.
   *
   * @throws SparkNdException if the file cannot be written
   */
  public static void write(Tensor tensor, Path file) {
    try {
      AtomicFile.write(file, out -> write(tensor, out));
    } catch (IOException e) {
      throw ArrowErrors.cannotWriteArrow(file, e);
    }
  }

  static void write(
      Tensor tensor, WritableByteChannel channel, Flushable flushable, BufferAllocator allocator)
      throws IOException {
    Storage storage = tensor.dtype().storage();
    try (ArrowTensorWriter writer =
        new ArrowTensorWriter(channel, flushable, tensor.dtype(), tensor.shape(), allocator)) {
      writer.append(tensor.array(), 0, storage.length(tensor.array()));
    }
  }

  /**
   * Reads the only {@code arrow.fixed_shape_tensor} column of an Arrow IPC stream (or file). A
   * stream with SparkND's metadata gives the tensor that was written. Without it, cells of shape
   * {@code [d1, d2, ...]} give a tensor {@code [rows, d1, d2, ...]}.
   *
   * @param in read to the end of the stream, not closed
   * @param source the stream's name in errors
   * @throws SparkNdException if it is not such a stream, ends early, has nulls, has cells with
   *     permuted dimensions, or does not fit one array
   */
  public static Tensor read(InputStream in, String source) {
    return read(in, source, new RootAllocator());
  }

  static Tensor read(InputStream in, String source, BufferAllocator allocator) {
    try (allocator) {
      return readStream(afterMagic(in, source), source, allocator);
    } catch (SparkNdException e) {
      throw e;
    } catch (IOException | RuntimeException | AssertionError e) {
      // with assertions enabled, a damaged stream can fail Arrow's own assertions
      throw ArrowErrors.unreadableArrow(source, e);
    } catch (OutOfMemoryError e) {
      // one allocation of a size that the stream declares failed; the JVM itself has memory left
      throw ArrowErrors.arrowNeedsMemory(source, e);
    }
  }

  private static Tensor readStream(InputStream in, String source, BufferAllocator allocator)
      throws IOException {
    MessageBodies messages = new MessageBodies(in, allocator);
    ArrowReader reader =
        new ArrowStreamReader(messages, allocator, CompressionCodec.Factory.INSTANCE);
    try {
      return ArrowTensorReader.read(reader, source);
    } finally {
      reader.close(false);
      messages.release();
    }
  }

  /** Skips a file's leading magic: an Arrow file is a stream between two magic words. */
  private static InputStream afterMagic(InputStream in, String source) throws IOException {
    byte[] start = in.readNBytes(FILE_START.length);
    PushbackInputStream rest = new PushbackInputStream(in, FILE_START.length);
    if (Arrays.equals(start, FILE_START)) {
      return rest;
    }
    if (start.length < 4 || !Arrays.equals(Arrays.copyOf(start, 4), STREAM_START)) {
      // parsed as a message length, another format's first bytes could request gigabytes
      throw ArrowErrors.notArrow(source);
    }
    rest.unread(start);
    return rest;
  }
}

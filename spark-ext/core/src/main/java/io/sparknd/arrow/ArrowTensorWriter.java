/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.arrow;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Shape;
import io.sparknd.tensor.SparkNdException;
import io.sparknd.tensor.TensorErrors;
import java.io.Flushable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.WritableByteChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.apache.arrow.memory.ArrowBuf;
import org.apache.arrow.memory.BufferAllocator;
import org.apache.arrow.memory.RootAllocator;
import org.apache.arrow.vector.ipc.ArrowStreamWriter;
import org.apache.arrow.vector.ipc.WriteChannel;
import org.apache.arrow.vector.ipc.message.ArrowFieldNode;
import org.apache.arrow.vector.ipc.message.ArrowRecordBatch;
import org.apache.arrow.vector.ipc.message.IpcOption;
import org.apache.arrow.vector.ipc.message.MessageSerializer;

/**
 * Writes one tensor of any size as an Arrow IPC stream, from chunks in row-major order. Record
 * batches of about 1 MiB are written as they fill, so memory does not grow with the tensor. A
 * larger row is buffered whole, because Arrow cannot split it. Not thread-safe.
 */
public final class ArrowTensorWriter implements AutoCloseable {
  private final DType dtype;
  private final Shape shape;
  private final int cellUnits;
  private final long totalUnits;
  private final BufferAllocator allocator;
  private final Flushable flushable;
  private final WriteChannel out;
  private final ColumnBuffers batch;
  private long appended;
  private boolean closed;

  /**
   * Creates a writer and writes the stream's schema to {@code out}.
   *
   * @param out flushed by {@link #close()}, not closed
   * @param shape {@code [rows, d1, d2, ...]}, the whole tensor; {@code d1 * d2 * ...} below 2^31,
   *     below 2^30 for complex dtypes
   * @throws SparkNdException if a row is larger than that
   */
  public ArrowTensorWriter(OutputStream out, DType dtype, Shape shape) throws IOException {
    this(Channels.newChannel(out), out, dtype, shape, new RootAllocator());
  }

  /** Takes ownership of {@code allocator} and closes it even if this constructor fails. */
  ArrowTensorWriter(
      WritableByteChannel channel,
      Flushable flushable,
      DType dtype,
      Shape shape,
      BufferAllocator allocator)
      throws IOException {
    this.dtype = dtype;
    this.shape = shape;
    this.allocator = allocator;
    this.flushable = flushable;
    this.out = new WriteChannel(channel);
    try {
      TensorField field = TensorField.of(dtype, shape);
      this.cellUnits = field.cellUnits();
      this.totalUnits = Math.multiplyExact(shape.elements(), (long) dtype.units());
      MessageSerializer.serialize(out, field.schema());
      this.batch = ColumnBuffers.of(dtype, Math.max(1, cellUnits), totalUnits, allocator);
    } catch (IOException | RuntimeException | Error e) {
      allocator.close();
      throw e;
    }
  }

  /**
   * Appends the units {@code [fromUnit, toUnit)} of {@code array}, which need not be whole rows or
   * whole complex elements. If it fails while it writes, the writer is closed, and the stream has
   * no end marker.
   *
   * @param array of {@code dtype.storage()}; the caller may change it after the call
   * @throws SparkNdException if the array is of another storage, the tensor has fewer elements, or
   *     a string is not Unicode text
   */
  public void append(Object array, int fromUnit, int toUnit) throws IOException {
    if (closed) {
      throw ArrowErrors.arrowWriterClosed();
    }
    if (!dtype.storage().holds(array)) {
      throw TensorErrors.wrongStorage(dtype, array);
    }
    Objects.checkFromToIndex(fromUnit, toUnit, dtype.storage().length(array));
    if (toUnit - fromUnit > totalUnits - appended) {
      throw ArrowErrors.arrowTooManyUnits(dtype, shape, appended, toUnit - fromUnit);
    }
    boolean isAppended = false;
    try {
      buffer(array, fromUnit, toUnit);
      isAppended = true;
    } finally {
      if (!isAppended) {
        release();
      }
    }
  }

  private void buffer(Object array, int fromUnit, int toUnit) throws IOException {
    for (int at = fromUnit; at < toUnit; ) {
      int taken = batch.append(array, at, toUnit);
      at += taken;
      appended += taken;
      if (batch.isFull()) {
        flushBatch();
      }
    }
  }

  /** Gives up a stream that may have part of a chunk: what is appended later would be shifted. */
  private void release() {
    closed = true;
    batch.close();
    allocator.close();
  }

  private void flushBatch() throws IOException {
    int rows = batch.units() / cellUnits;
    ArrowBuf allValid = allocator.getEmpty();
    List<ArrowBuf> buffers = new ArrayList<>(List.of(allValid, allValid));
    buffers.addAll(batch.buffers());
    List<ArrowFieldNode> nodes =
        List.of(new ArrowFieldNode(rows, 0), new ArrowFieldNode(batch.units(), 0));
    try (ArrowRecordBatch message = new ArrowRecordBatch(rows, nodes, buffers)) {
      MessageSerializer.serialize(out, message);
    }
    batch.clear();
  }

  /**
   * Writes the remaining rows and ends the stream.
   *
   * @throws SparkNdException if elements are missing; the stream then has no end marker
   */
  @Override
  public void close() throws IOException {
    if (closed) {
      return;
    }
    closed = true;
    try (allocator;
        batch) {
      finish();
    }
  }

  private void finish() throws IOException {
    if (appended != totalUnits) {
      throw ArrowErrors.arrowIncomplete(dtype, shape, appended);
    }
    if (batch.units() > 0) {
      flushBatch();
    }
    ArrowStreamWriter.writeEndOfStream(out, IpcOption.DEFAULT);
    flushable.flush();
  }
}

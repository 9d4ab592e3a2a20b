/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.Objects;

/**
 * Writes an {@code .npy} file chunk by chunk, in the order of the file, so that a tensor of more
 * elements than an array holds can be written. A file becomes visible under its name only when
 * {@link #close} finds it complete.
 */
public final class NpyWriter implements AutoCloseable {
  private final NpyHeader header;
  private final NpyEncoder encoder;
  private final String target;
  private final OutputStream out;
  private final AtomicFile file;
  private final long expected;
  private long written;
  private boolean closed;

  private NpyWriter(NpyHeader header, String target, OutputStream out, AtomicFile file) {
    this.header = header;
    this.encoder = new NpyEncoder(header);
    this.target = target;
    this.out = out;
    this.file = file;
    this.expected = header.shape().elements() * header.dtype().units();
    writeHeader();
  }

  /**
   * A writer to {@code path}, through a file beside it that takes its place in the end.
   *
   * @param header from {@link NpyHeader#of} or {@link NpyHeader#ofStrings}
   * @throws SparkNdException if no file can be made there
   */
  public static NpyWriter open(Path path, NpyHeader header) {
    AtomicFile file = AtomicFile.create(path);
    return new NpyWriter(header, path.toString(), file.out(), file);
  }

  /**
   * A writer to {@code out}, which it flushes but leaves open.
   *
   * @param target the name of {@code out} in errors
   * @param header from {@link NpyHeader#of} or {@link NpyHeader#ofStrings}
   */
  public static NpyWriter open(OutputStream out, String target, NpyHeader header) {
    return new NpyWriter(header, target, out, null);
  }

  private void writeHeader() {
    try {
      out.write(header.encoded());
    } catch (IOException e) {
      discard();
      throw TensorErrors.unwritableFile(target, e);
    }
  }

  /**
   * Appends the units {@code [from, to)} of {@code array}, an array of {@code
   * header.dtype().storage()}.
   *
   * @throws SparkNdException if that is more than the header's shape holds, a string is longer than
   *     its width, the target cannot be written, or the writer is closed
   */
  public void append(Object array, int from, int to) {
    if (!header.dtype().storage().holds(array)) {
      throw TensorErrors.wrongStorage(header.dtype(), array);
    }
    Objects.checkFromToIndex(from, to, header.dtype().storage().length(array));
    if (closed) {
      throw NpyErrors.npyWriterClosed(target);
    }
    if (to - from > expected - written) {
      throw NpyErrors.npyWrongTotal(target, header.shape(), expected, written + to - from);
    }
    try {
      encoder.write(array, from, to, out);
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(target, e);
    }
    written += to - from;
  }

  /**
   * Completes the file.
   *
   * @throws SparkNdException if fewer units were appended than the header's shape holds; the file
   *     is then left as it was before
   */
  @Override
  public void close() {
    if (closed) {
      return;
    }
    closed = true;
    if (written != expected) {
      discard();
      throw NpyErrors.npyWrongTotal(target, header.shape(), expected, written);
    }
    try {
      out.flush();
      if (file != null) {
        file.commit();
      }
    } catch (IOException e) {
      discard();
      throw TensorErrors.unwritableFile(target, e);
    }
  }

  private void discard() {
    if (file != null) {
      file.discard();
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import io.sparknd.tensor.internal.AtomicFile;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Writes an {@code .npy} file chunk by chunk in file order, so that a tensor may have more elements
 * than one array. A regular file appears at its path only when {@link #close} finds it complete. If
 * the target cannot be written, the writer is closed, and there is no file.
 */
public final class NpyWriter implements AutoCloseable {
  private final NpyHeader header;
  private final NpyEncoder encoder;
  private final String target;
  private final OutputStream out;
  private final @Nullable AtomicFile file;
  private final long expected;
  private long written;
  private boolean closed;

  private NpyWriter(NpyHeader header, String target, OutputStream out, @Nullable AtomicFile file) {
    this.header = header;
    this.encoder = new NpyEncoder(header);
    this.target = target;
    this.out = out;
    this.file = file;
    this.expected = header.shape().elements() * header.dtype().units();
    writeHeader();
  }

  /**
   * Opens a writer to {@code path}. It writes a temporary sibling file, which {@link #close} moves
   * to {@code path}.
   *
   * @param header from {@link NpyHeader#of} or {@link NpyHeader#ofStrings}
   * @throws SparkNdException if the file cannot be created
   */
  public static NpyWriter open(Path path, NpyHeader header) {
    if (Files.isDirectory(path)) {
      throw TensorErrors.isDirectory(path.toString());
    }
    try {
      AtomicFile file = AtomicFile.create(path);
      return new NpyWriter(header, path.toString(), file.out(), file);
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(path.toString(), e);
    }
  }

  /**
   * Opens a writer to {@code out}. {@link #close} flushes {@code out} but leaves it open.
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
   * @throws SparkNdException if the total exceeds the header's shape, a string is longer than the
   *     declared width or ends in NUL, the target cannot be written, or the writer is closed
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
      // a part may be written, so that nothing can follow
      closed = true;
      discard();
      throw TensorErrors.unwritableFile(target, e);
    }
    written += to - from;
  }

  /**
   * Completes the file.
   *
   * @throws SparkNdException if fewer units were appended than the header's shape holds, or the
   *     target cannot be written; an existing file at the path is then left unchanged
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A file that is written beside its place and moved there when it is complete, so that nobody ever
 * sees half of it. What is no regular file (a pipe, a device) is written to directly.
 */
final class AtomicFile {
  private final Path target;
  private final Path written;
  private final OutputStream out;

  private AtomicFile(Path target, Path written, OutputStream out) {
    this.target = target;
    this.written = written;
    this.out = out;
  }

  static AtomicFile create(Path path) {
    if (Files.isDirectory(path)) {
      throw TensorErrors.isDirectory(path.toString());
    }
    try {
      // through a symbolic link, as every other writer does
      Path target = Files.exists(path) ? path.toRealPath() : path.toAbsolutePath();
      boolean special = Files.exists(target) && !Files.isRegularFile(target);
      // not Files.createTempFile, whose files only their owner may read
      Path written = special ? target : target.resolveSibling(".npy-" + UUID.randomUUID() + ".tmp");
      OutputStream out =
          special
              ? Files.newOutputStream(written, StandardOpenOption.WRITE)
              : Files.newOutputStream(written, StandardOpenOption.CREATE_NEW);
      return new AtomicFile(target, written, out);
    } catch (IOException e) {
      throw TensorErrors.unwritableFile(path.toString(), e);
    }
  }

  OutputStream out() {
    return out;
  }

  void commit() throws IOException {
    out.close();
    if (!written.equals(target)) {
      Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
    }
  }

  /** Removes what was written; a failure to do so does not hide the error that led here. */
  @SuppressWarnings("EmptyCatch")
  void discard() {
    try {
      out.close();
      if (!written.equals(target)) {
        Files.deleteIfExists(written);
      }
    } catch (IOException ignored) {
      // the caller is about to report why
    }
  }
}

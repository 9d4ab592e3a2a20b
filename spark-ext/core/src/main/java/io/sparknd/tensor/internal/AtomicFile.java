/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.tensor.internal;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.UUID;

/**
 * A file written to a temporary sibling and moved to its path when complete, so that readers never
 * see a partial file. If the JVM ends meanwhile, the temporary file is deleted. If the target is
 * not a regular file (a pipe, a device), it is written directly.
 */
public final class AtomicFile {
  /** As many as Linux follows. */
  private static final int MAX_LINKS = 40;

  private final Path target;
  private final Path written;
  private final OutputStream out;

  AtomicFile(Path target, Path written, OutputStream out) {
    this.target = target;
    this.written = written;
    this.out = out;
  }

  /** Opens a file to write; nothing is at {@code path} before {@link #commit}. */
  public static AtomicFile create(Path path) throws IOException {
    Path target = Files.exists(path) ? path.toRealPath() : followed(LocalPaths.absolute(path));
    if (Files.isDirectory(target)) {
      throw new FileSystemException(path.toString(), null, "it is a directory");
    }
    boolean special = Files.exists(target) && !Files.isRegularFile(target);
    // Files.createTempFile would make the file readable by its owner only
    Path written =
        special ? target : target.resolveSibling(".sparknd-" + UUID.randomUUID() + ".tmp");
    OutputStream out =
        special
            ? Files.newOutputStream(written, StandardOpenOption.WRITE)
            : UnfinishedFiles.create(written);
    return new AtomicFile(target, written, out);
  }

  /** Follows symbolic links, which are not replaced, to a file that need not exist. */
  private static Path followed(Path path) throws IOException {
    Path target = path;
    for (int links = 0; Files.isSymbolicLink(target); links++) {
      if (links == MAX_LINKS) {
        throw new FileSystemLoopException(path.toString());
      }
      target = target.resolveSibling(Files.readSymbolicLink(target));
    }
    return target;
  }

  /** Writes the content of a file. */
  public interface Writing {
    void to(OutputStream out) throws IOException;
  }

  /** Writes the file at {@code path} whole; if this fails, it is as it was before. */
  public static void write(Path path, Writing writing) throws IOException {
    AtomicFile file = create(path);
    try {
      OutputStream out = new BufferedOutputStream(file.out());
      writing.to(out);
      out.flush();
      file.commit();
    } finally {
      file.discard();
    }
  }

  public OutputStream out() {
    return out;
  }

  /** Closes the file and moves it to its path. */
  public void commit() throws IOException {
    out.close();
    if (!written.equals(target)) {
      try {
        Files.move(written, target, StandardCopyOption.ATOMIC_MOVE);
      } catch (NoSuchFileException e) {
        // the file was deleted if the JVM is shutting down
        UnfinishedFiles.requireRunning();
        throw e;
      }
      UnfinishedFiles.remove(written);
    }
  }

  /** Deletes the temporary file; a failure to delete does not hide the original error. */
  @SuppressWarnings("EmptyCatch")
  public void discard() {
    try {
      try {
        out.close();
      } finally {
        if (!written.equals(target)) {
          Files.deleteIfExists(written);
          UnfinishedFiles.remove(written);
        }
      }
    } catch (IOException ignored) {
      // the caller reports the original error
    }
  }
}

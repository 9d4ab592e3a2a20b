/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.function.Consumer;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.OutputFile;
import org.apache.iceberg.io.PositionOutputStream;

/**
 * The file IO of {@link HookedLake}. It calls a hook at each file operation; the hook may fail or
 * run other work.
 */
public final class HookedIO extends HadoopFileIO {
  private static final Hook NONE = (step, path, bytes) -> {};
  private static volatile Hook hook = NONE;
  private static volatile Consumer<String> reading = path -> {};

  /** A file operation. */
  enum Step {
    CREATE,
    WRITE,
    CLOSED,
    DELETE
  }

  interface Hook {
    /**
     * Runs before a file operation.
     *
     * @param bytes number of bytes to write
     */
    void at(Step step, String path, long bytes) throws IOException;
  }

  /** Runs {@code own} with the path of each file to read, in this JVM, until closed. */
  static AutoCloseable whenReading(Consumer<String> own) {
    reading = own;
    return () -> reading = path -> {};
  }

  /** Installs a hook for all files of this JVM until closed. */
  static AutoCloseable with(Hook own) {
    hook = own;
    return () -> hook = NONE;
  }

  private static void at(Step step, String path, long bytes) {
    try {
      hook.at(step, path, bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public InputFile newInputFile(String path) {
    reading.accept(path);
    return super.newInputFile(path);
  }

  @Override
  public InputFile newInputFile(String path, long length) {
    reading.accept(path);
    return super.newInputFile(path, length);
  }

  @Override
  public OutputFile newOutputFile(String path) {
    return new HookedFile(super.newOutputFile(path));
  }

  @Override
  public void deleteFile(String path) {
    at(Step.DELETE, path, 0);
    super.deleteFile(path);
  }

  @Override
  public void deleteFiles(Iterable<String> paths) {
    paths.forEach(this::deleteFile);
  }

  private record HookedFile(OutputFile file) implements OutputFile {
    @Override
    public PositionOutputStream create() {
      at(Step.CREATE, location(), 0);
      return new HookedStream(location(), file.create());
    }

    @Override
    public PositionOutputStream createOrOverwrite() {
      at(Step.CREATE, location(), 0);
      return new HookedStream(location(), file.createOrOverwrite());
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public InputFile toInputFile() {
      return file.toInputFile();
    }
  }

  private static final class HookedStream extends PositionOutputStream {
    private final String path;
    private final PositionOutputStream stream;
    private boolean closed;

    HookedStream(String path, PositionOutputStream stream) {
      this.path = path;
      this.stream = stream;
    }

    @Override
    public long getPos() throws IOException {
      return stream.getPos();
    }

    @Override
    public long storedLength() throws IOException {
      return stream.storedLength();
    }

    @Override
    public void write(int b) throws IOException {
      write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int offset, int length) throws IOException {
      try {
        hook.at(Step.WRITE, path, length);
      } catch (IOException e) {
        stream.close(); // otherwise garbage collection closes the stream and writes the file
        throw e;
      }
      stream.write(bytes, offset, length);
    }

    @Override
    public void flush() throws IOException {
      stream.flush();
    }

    @Override
    public void close() throws IOException {
      stream.close();
      if (!closed) {
        closed = true;
        hook.at(Step.CLOSED, path, 0);
      }
    }
  }
}

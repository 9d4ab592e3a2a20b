/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.iceberg.hadoop.HadoopFileIO;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/** A file IO that limits how many data files are open for reading at a time in the JVM. */
public final class CountedIO extends HadoopFileIO {
  private static final AtomicInteger OPEN = new AtomicInteger();
  private static final AtomicInteger OPENED = new AtomicInteger();
  private static volatile int most = Integer.MAX_VALUE;

  /** Limits open streams to {@code streams} until closed, and resets {@link #opened}. */
  static AutoCloseable allowing(int streams) {
    OPENED.set(0);
    most = streams;
    return () -> most = Integer.MAX_VALUE;
  }

  /** Returns the number of streams opened since the last {@link #allowing}. */
  static int opened() {
    return OPENED.get();
  }

  /** Returns the number of open streams. */
  static int open() {
    return OPEN.get();
  }

  @Override
  public InputFile newInputFile(String path) {
    return counted(super.newInputFile(path));
  }

  @Override
  public InputFile newInputFile(String path, long length) {
    return counted(super.newInputFile(path, length));
  }

  private static InputFile counted(InputFile file) {
    boolean isCounted = file.location().endsWith(".parquet") || file.location().endsWith(".puffin");
    return isCounted ? new CountedFile(file) : file;
  }

  private record CountedFile(InputFile file) implements InputFile {
    @Override
    public long getLength() {
      return file.getLength();
    }

    @Override
    public SeekableInputStream newStream() {
      OPENED.incrementAndGet();
      if (OPEN.incrementAndGet() > most) {
        OPEN.decrementAndGet();
        throw new IllegalStateException("no connection is left for " + location());
      }
      return new CountedStream(file.newStream());
    }

    @Override
    public String location() {
      return file.location();
    }

    @Override
    public boolean exists() {
      return file.exists();
    }
  }

  private static final class CountedStream extends ForwardingStream {
    private boolean closed;

    CountedStream(SeekableInputStream stream) {
      super(stream);
    }

    @Override
    public void close() throws IOException {
      if (!closed) {
        closed = true;
        OPEN.decrementAndGet();
      }
      super.close();
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.IOException;
import java.io.InputStream;
import org.apache.parquet.io.DelegatingSeekableInputStream;
import org.apache.parquet.io.InputFile;
import org.apache.parquet.io.SeekableInputStream;
import org.jspecify.annotations.Nullable;

/**
 * Adapts an Iceberg input file to Parquet. The stream is opened on demand and can be released
 * between reads, so that a task with many files does not hold a connection for each.
 */
public final class InputAdapter implements InputFile {
  private final org.apache.iceberg.io.InputFile file;
  private final OnDemand bytes = new OnDemand();

  public InputAdapter(org.apache.iceberg.io.InputFile file) {
    this.file = file;
  }

  @Override
  public long getLength() {
    return file.getLength();
  }

  /** Returns a stream for a single reader: all streams share one position. */
  @Override
  public SeekableInputStream newStream() {
    return new Stream(bytes);
  }

  /** Closes the stream; the next read reopens it at the same position. */
  public void release() throws IOException {
    bytes.close();
  }

  @Override
  public String toString() {
    return file.location();
  }

  private static final class Stream extends DelegatingSeekableInputStream {
    private final OnDemand bytes;

    Stream(OnDemand bytes) {
      super(bytes);
      this.bytes = bytes;
    }

    @Override
    public long getPos() {
      return bytes.position;
    }

    @Override
    public void seek(long position) {
      bytes.position = position;
    }
  }

  private final class OnDemand extends InputStream {
    private org.apache.iceberg.io.@Nullable SeekableInputStream open;
    private long position;

    private InputStream open() throws IOException {
      org.apache.iceberg.io.SeekableInputStream stream = open == null ? file.newStream() : open;
      open = stream;
      if (stream.getPos() != position) {
        stream.seek(position);
      }
      return stream;
    }

    @Override
    public int read() throws IOException {
      int next = open().read();
      position += next < 0 ? 0 : 1;
      return next;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      int count = open().read(target, offset, length);
      position += Math.max(0, count);
      return count;
    }

    @Override
    public void close() throws IOException {
      if (open != null) {
        try (InputStream closing = open) {
          open = null;
        }
      }
    }
  }
}

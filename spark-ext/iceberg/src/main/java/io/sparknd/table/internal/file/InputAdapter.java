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
  private static final int BUFFER = 1 << 13;

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

  /**
   * Small reads, such as those of page indexes byte by byte, are served from a buffer. Large reads
   * take what the buffer has before they read on, so that sequential reads never seek back: an
   * object store would need a new request.
   */
  private final class OnDemand extends InputStream {
    private org.apache.iceberg.io.@Nullable SeekableInputStream open;
    private long position;
    private byte[] buffer = {};
    private long bufferStart;
    private int buffered;

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
      return fill() ? buffer[(int) (position++ - bufferStart)] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int offset, int length) throws IOException {
      if (length == 0) {
        return 0;
      }
      int count =
          length < BUFFER || hasNext()
              ? copy(target, offset, length)
              : open().read(target, offset, length);
      position += Math.max(0, count);
      return count;
    }

    private int copy(byte[] target, int offset, int length) throws IOException {
      if (!fill()) {
        return -1;
      }
      int from = (int) (position - bufferStart);
      int count = Math.min(length, buffered - from);
      System.arraycopy(buffer, from, target, offset, count);
      return count;
    }

    /** Returns whether the buffer has the next byte. */
    private boolean hasNext() {
      return position >= bufferStart && position < bufferStart + buffered;
    }

    /** Reads on if the buffer does not have the next byte; returns whether there is one. */
    private boolean fill() throws IOException {
      if (hasNext()) {
        return true;
      }
      buffer = buffer.length == 0 ? new byte[BUFFER] : buffer;
      bufferStart = position;
      buffered = 0; // if reading fails
      buffered = Math.max(0, open().read(buffer, 0, BUFFER));
      return buffered > 0;
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

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import java.io.ByteArrayOutputStream;
import org.apache.iceberg.io.InputFile;
import org.apache.iceberg.io.SeekableInputStream;

/**
 * The end of a file that is being written, kept in memory: Iceberg computes a file's metrics from
 * its footer, and need not open the file again for it.
 */
final class Tail {
  private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
  private boolean kept;
  private long start = -1;

  /** Keeps what is written from now on. */
  void keep() {
    kept = true;
  }

  void written(long position, byte[] source, int from, int count) {
    if (kept) {
      start = start < 0 ? position : start;
      bytes.write(source, from, count);
    }
  }

  /** The file, of which only what was kept can be read. */
  InputFile asFile(String location) {
    return new InMemory(location, start, bytes.toByteArray());
  }

  private record InMemory(String location, long start, byte[] bytes) implements InputFile {
    @Override
    public long getLength() {
      return start + bytes.length;
    }

    @Override
    public SeekableInputStream newStream() {
      return new Stream(start, bytes);
    }

    @Override
    public boolean exists() {
      return true;
    }
  }

  private static final class Stream extends SeekableInputStream {
    private final long start;
    private final byte[] bytes;
    private int next;

    Stream(long start, byte[] bytes) {
      this.start = start;
      this.bytes = bytes;
    }

    @Override
    public long getPos() {
      return start + next;
    }

    @Override
    public void seek(long position) {
      next = Math.toIntExact(position - start);
    }

    @Override
    public int read() {
      return next < bytes.length ? bytes[next++] & 0xff : -1;
    }

    @Override
    public int read(byte[] target, int at, int count) {
      if (next == bytes.length && count > 0) {
        return -1;
      }
      int step = Math.min(count, bytes.length - next);
      System.arraycopy(bytes, next, target, at, step);
      next += step;
      return step;
    }
  }
}

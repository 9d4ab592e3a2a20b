/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.internal.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/**
 * Adapts an Iceberg output file to Parquet. Small writes are buffered, as Parquet writes page
 * headers byte by byte.
 */
final class OutputAdapter implements OutputFile {
  private static final int BUFFER_BYTES = 1 << 16;

  private final org.apache.iceberg.io.OutputFile file;
  private long length;

  OutputAdapter(org.apache.iceberg.io.OutputFile file) {
    this.file = file;
  }

  /** Returns the number of bytes written so far. */
  long length() {
    return length;
  }

  @Override
  public PositionOutputStream create(long blockSize) {
    return new Stream(file.create());
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSize) {
    return new Stream(file.createOrOverwrite());
  }

  @Override
  public boolean supportsBlockSize() {
    return false;
  }

  @Override
  public long defaultBlockSize() {
    return 0;
  }

  @Override
  public String getPath() {
    return file.location();
  }

  private final class Stream extends PositionOutputStream {
    private final OutputStream out;

    Stream(OutputStream out) {
      this.out = new BufferedOutputStream(out, BUFFER_BYTES);
    }

    @Override
    public long getPos() {
      return length;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      length++;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      out.write(bytes, from, count);
      length += count;
    }

    @Override
    public void flush() throws IOException {
      out.flush();
    }

    @Override
    public void close() throws IOException {
      out.close();
    }
  }
}

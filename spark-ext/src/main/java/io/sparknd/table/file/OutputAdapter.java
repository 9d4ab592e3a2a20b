/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table.file;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import org.apache.parquet.io.OutputFile;
import org.apache.parquet.io.PositionOutputStream;

/**
 * A file of Iceberg's, as Parquet writes one. Page headers come byte by byte, so small writes are
 * gathered.
 */
final class OutputAdapter implements OutputFile {
  private static final int GATHERED = 1 << 16;

  private final org.apache.iceberg.io.OutputFile file;
  private final Tail tail = new Tail();

  OutputAdapter(org.apache.iceberg.io.OutputFile file) {
    this.file = file;
  }

  /** What is written from {@link Tail#keep} on. */
  Tail tail() {
    return tail;
  }

  @Override
  public PositionOutputStream create(long blockSize) {
    return new Stream(file.create(), tail);
  }

  @Override
  public PositionOutputStream createOrOverwrite(long blockSize) {
    return new Stream(file.createOrOverwrite(), tail);
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

  private static final class Stream extends PositionOutputStream {
    private final OutputStream out;
    private final Tail tail;
    private long position;

    Stream(OutputStream out, Tail tail) {
      this.out = new BufferedOutputStream(out, GATHERED);
      this.tail = tail;
    }

    @Override
    public long getPos() {
      return position;
    }

    @Override
    public void write(int value) throws IOException {
      out.write(value);
      tail.written(position, new byte[] {(byte) value}, 0, 1);
      position++;
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
      out.write(bytes, from, count);
      tail.written(position, bytes, from, count);
      position += count;
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

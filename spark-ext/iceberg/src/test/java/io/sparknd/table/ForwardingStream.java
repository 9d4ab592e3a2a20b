/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.table;

import java.io.IOException;
import org.apache.iceberg.io.SeekableInputStream;

/** A stream that forwards to another one. */
public class ForwardingStream extends SeekableInputStream {
  private final SeekableInputStream stream;

  /** Forwards to {@code stream}. */
  public ForwardingStream(SeekableInputStream stream) {
    this.stream = stream;
  }

  @Override
  public long getPos() throws IOException {
    return stream.getPos();
  }

  @Override
  public void seek(long position) throws IOException {
    stream.seek(position);
  }

  @Override
  public int read() throws IOException {
    return stream.read();
  }

  @Override
  public int read(byte[] target, int offset, int length) throws IOException {
    return stream.read(target, offset, length);
  }

  @Override
  public void close() throws IOException {
    stream.close();
  }
}

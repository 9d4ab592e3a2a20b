/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.files;

import java.io.IOException;
import java.nio.ByteBuffer;
import org.apache.hadoop.fs.PositionedReadable;

/**
 * Reads parts of a file. Parts that follow each other are read in larger and larger requests, since
 * an object store answers each after some 20 ms; others are read alone. Not thread-safe.
 */
final class ReadAhead {
  private static final int MOST = 4 << 20;

  private final PositionedReadable file;
  private final long end;
  private byte[] held = new byte[0];
  private long heldFrom;
  private long next = -1;

  /**
   * @param end the bytes of the file up to which parts are read
   */
  ReadAhead(PositionedReadable file, long end) {
    this.file = file;
    this.end = end;
  }

  /** Returns a part as the remaining bytes of a buffer, valid until the next call. */
  ByteBuffer read(long position, int length) throws IOException {
    boolean isHeld = position >= heldFrom && position + length <= heldFrom + held.length;
    if (!isHeld) {
      long more = position == next ? Math.min(MOST, 2L * held.length) : 0;
      held = new byte[(int) Math.max(length, Math.min(more, end - position))];
      file.readFully(position, held);
      heldFrom = position;
    }
    next = position + length;
    return ByteBuffer.wrap(held, (int) (position - heldFrom), length);
  }
}

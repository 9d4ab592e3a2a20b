/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Little-endian buffers for the frames of this executor, which are used again and again: a new one
 * has to be filled with zeros and pushes others out of the caches.
 */
final class FrameBuffers {
  /** Bytes of a buffer; larger frames have one of their own. */
  static final int BYTES = 3 << 19;

  /** Smaller frames have one of their own, too. */
  private static final int LEAST_BYTES = BYTES / 16;

  /** Buffers that are kept while nobody uses them. */
  private static final int MOST_FREE = 16;

  private final Deque<ByteBuffer> free = new ArrayDeque<>();

  /** Returns whether memory matters for a frame. */
  static boolean isLarge(int bytes) {
    return bytes >= LEAST_BYTES;
  }

  /** Returns a buffer for so many bytes. */
  ByteBuffer take(int bytes) {
    if (!isLarge(bytes) || bytes > BYTES) {
      return ByteBuffer.allocate(bytes).order(ByteOrder.LITTLE_ENDIAN);
    }
    ByteBuffer buffer = next();
    return (buffer == null ? ByteBuffer.allocate(BYTES) : buffer)
        .clear()
        .limit(bytes)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  private synchronized @Nullable ByteBuffer next() {
    return free.poll();
  }

  /** Takes back a buffer that nobody uses any more. */
  synchronized void release(ByteBuffer buffer) {
    if (buffer.capacity() == BYTES && free.size() < MOST_FREE) {
      free.push(buffer);
    }
  }
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.cluster.internal.exchange;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Little-endian buffers for the frames that this executor sends, which are used again and again: a
 * new one has to be filled with zeros and pushes others out of the caches. They are outside the
 * heap, from where the system's network calls would copy them to such a buffer.
 */
final class FrameBuffers {
  /** Bytes of a buffer; larger frames have one of their own. */
  static final int BYTES = 3 << 19;

  /** Smaller frames have one of their own, too. */
  private static final int LEAST_BYTES = BYTES / 16;

  /** Buffers outside the heap, at most 24 MB. */
  private static final int MOST = 16;

  private final Deque<ByteBuffer> free = new ArrayDeque<>();
  private int made;

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
    return (buffer == null ? ByteBuffer.allocate(bytes) : buffer)
        .clear()
        .limit(bytes)
        .order(ByteOrder.LITTLE_ENDIAN);
  }

  /** Returns null if all are used. */
  private synchronized @Nullable ByteBuffer next() {
    ByteBuffer buffer = free.poll();
    return buffer == null && made < MOST ? made() : buffer;
  }

  private @Nullable ByteBuffer made() {
    try {
      ByteBuffer buffer = ByteBuffer.allocateDirect(BYTES);
      made++;
      return buffer;
    } catch (OutOfMemoryError e) { // outside the heap, which may have some
      made = MOST;
      return null;
    }
  }

  /** Gives up a buffer that the network may still read. */
  synchronized void drop(ByteBuffer buffer) {
    made -= buffer.isDirect() ? 1 : 0;
  }

  /** Takes back a buffer that nobody uses any more. */
  synchronized void release(ByteBuffer buffer) {
    if (buffer.isDirect()) {
      free.push(buffer);
    }
  }
}

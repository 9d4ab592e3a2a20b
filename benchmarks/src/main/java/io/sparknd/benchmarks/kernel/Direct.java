/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Memory outside the heap that native libraries share, aligned as they align their own. */
final class Direct {
  private static final int CACHE_LINE = 64;

  private Direct() {}

  /** {@code elements} floats, all zero. */
  static ByteBuffer floats(int elements) {
    return allocate(elements, Float.BYTES);
  }

  static ByteBuffer of(float[] values) {
    ByteBuffer buffer = floats(values.length);
    buffer.asFloatBuffer().put(values);
    return buffer;
  }

  static ByteBuffer of(long[] values) {
    ByteBuffer buffer = allocate(values.length, Long.BYTES);
    buffer.asLongBuffer().put(values);
    return buffer;
  }

  private static ByteBuffer allocate(int elements, int bytes) {
    int length = Math.multiplyExact(elements, bytes);
    return ByteBuffer.allocateDirect(length + 2 * CACHE_LINE)
        .alignedSlice(CACHE_LINE)
        .limit(length)
        .slice()
        .order(ByteOrder.nativeOrder());
  }
}

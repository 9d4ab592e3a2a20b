/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Off-heap memory shared with native libraries, aligned to cache lines as their own. */
public final class Direct {
  private static final int CACHE_LINE = 64;

  private Direct() {}

  /** Allocates {@code elements} zero floats. */
  public static ByteBuffer floats(int elements) {
    return allocate(elements, Float.BYTES);
  }

  public static ByteBuffer of(float[] values) {
    ByteBuffer buffer = floats(values.length);
    buffer.asFloatBuffer().put(values);
    return buffer;
  }

  public static ByteBuffer of(long[] values) {
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

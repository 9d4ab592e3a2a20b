/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.benchmarks.kernel;

import io.sparknd.tensor.Storage;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;

/** Off-heap memory shared with native libraries, aligned to cache lines as their own. */
public final class Direct {
  private static final int CACHE_LINE = 64;

  private Direct() {}

  /** Allocates {@code elements} zeros of {@code bytes} bytes each. */
  static ByteBuffer zeros(int elements, int bytes) {
    int length = Math.multiplyExact(elements, bytes);
    return ByteBuffer.allocateDirect(length + 2 * CACHE_LINE)
        .alignedSlice(CACHE_LINE)
        .limit(length)
        .slice()
        .order(ByteOrder.nativeOrder());
  }

  public static ByteBuffer of(float[] values) {
    return of(Storage.FLOAT, values);
  }

  public static ByteBuffer of(long[] values) {
    return of(Storage.LONG, values);
  }

  /** Copies an array of {@code storage}. */
  static ByteBuffer of(Storage storage, Object array) {
    int length = storage.length(array);
    ByteBuffer buffer = zeros(length, storage.bytes());
    storage.put(array, 0, length, buffer);
    return buffer;
  }
}

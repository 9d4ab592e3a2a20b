/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import org.apache.spark.unsafe.Platform;

/** Copies memory, with a fast path for short copies. */
final class MemoryCopies {
  /** The largest copy, in bytes, for which a loop is faster than {@link Platform#copyMemory}. */
  private static final long FEW = 256;

  private MemoryCopies() {}

  /** Copies {@code bytes} bytes. Offsets are memory offsets of {@link Platform}. */
  static void copy(Object from, long fromOffset, Object to, long toOffset, long bytes) {
    if (bytes > FEW) {
      Platform.copyMemory(from, fromOffset, to, toOffset, bytes);
      return;
    }
    long words = bytes & -Long.BYTES;
    for (long at = 0; at < words; at += Long.BYTES) {
      Platform.putLong(to, toOffset + at, Platform.getLong(from, fromOffset + at));
    }
    for (long at = words; at < bytes; at++) {
      Platform.putByte(to, toOffset + at, Platform.getByte(from, fromOffset + at));
    }
  }
}

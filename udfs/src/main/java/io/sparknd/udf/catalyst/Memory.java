/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.udf.catalyst;

import io.sparknd.tensor.Storage;
import org.apache.spark.unsafe.Platform;

/** Java arrays as memory. */
final class Memory {
  /** Up to so many bytes a loop takes less time than the call of a copy. */
  private static final long FEW = 256;

  private Memory() {}

  /** Copies {@code bytes} bytes; offsets are those of {@link Platform}. */
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

  /** The offset of the first unit of an array of {@code storage}. */
  static long first(Storage storage) {
    return switch (storage) {
      case BYTE -> Platform.BYTE_ARRAY_OFFSET;
      case SHORT -> Platform.SHORT_ARRAY_OFFSET;
      case INT -> Platform.INT_ARRAY_OFFSET;
      case LONG -> Platform.LONG_ARRAY_OFFSET;
      case FLOAT -> Platform.FLOAT_ARRAY_OFFSET;
      case DOUBLE -> Platform.DOUBLE_ARRAY_OFFSET;
      case STRING -> throw new AssertionError();
    };
  }
}

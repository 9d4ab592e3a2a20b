/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.Tensor;

/** The values of an integer tensor as longs. */
final class IndexValues {
  private IndexValues() {}

  /**
   * Shares the array of an int64 tensor. A uint64 above 2^63 - 1, which no dimension reaches,
   * becomes 2^63 - 1.
   */
  static long[] toLongs(Tensor indices) {
    return switch (indices.dtype()) {
      case INT64 -> (long[]) indices.array();
      case UINT64 -> saturated((long[]) indices.array());
      case INT32 -> widened((int[]) indices.array(), -1L);
      case UINT32 -> widened((int[]) indices.array(), 0xffff_ffffL);
      case INT16 -> widened((short[]) indices.array(), -1L);
      case UINT16 -> widened((short[]) indices.array(), 0xffffL);
      case INT8 -> widened((byte[]) indices.array(), -1L);
      case UINT8 -> widened((byte[]) indices.array(), 0xffL);
      default -> throw new IllegalArgumentException(indices.dtype().toString());
    };
  }

  private static long[] saturated(long[] array) {
    long[] out = new long[array.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = array[i] < 0 ? Long.MAX_VALUE : array[i];
    }
    return out;
  }

  private static long[] widened(int[] array, long mask) {
    long[] out = new long[array.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = array[i] & mask;
    }
    return out;
  }

  private static long[] widened(short[] array, long mask) {
    long[] out = new long[array.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = array[i] & mask;
    }
    return out;
  }

  private static long[] widened(byte[] array, long mask) {
    long[] out = new long[array.length];
    for (int i = 0; i < out.length; i++) {
      out[i] = array[i] & mask;
    }
    return out;
  }
}

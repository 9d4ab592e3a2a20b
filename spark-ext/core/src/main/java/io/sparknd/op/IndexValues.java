/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.op;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.Tensor;

/** Reads the values of an integer tensor as longs. */
public final class IndexValues {
  private IndexValues() {}

  /**
   * Returns all values; for an int64 tensor, its own array. A uint64 above 2^63 - 1, which no
   * dimension reaches, becomes 2^63 - 1.
   */
  public static long[] toLongs(Tensor indices) {
    if (indices.dtype() == DType.INT64) {
      return (long[]) indices.array();
    }
    long[] all = new long[indices.elements()];
    read(indices, 0, all.length, all);
    return all;
  }

  /** Writes elements {@code [from, from + count)} to the start of {@code out}. */
  static void read(Tensor indices, int from, int count, long[] out) {
    Object array = indices.array();
    switch (indices.dtype()) {
      case INT64 -> System.arraycopy(array, from, out, 0, count);
      case UINT64 -> saturate((long[]) array, from, count, out);
      case INT32 -> widen((int[]) array, from, count, -1L, out);
      case UINT32 -> widen((int[]) array, from, count, 0xffff_ffffL, out);
      case INT16 -> widen((short[]) array, from, count, -1L, out);
      case UINT16 -> widen((short[]) array, from, count, 0xffffL, out);
      case INT8 -> widen((byte[]) array, from, count, -1L, out);
      case UINT8 -> widen((byte[]) array, from, count, 0xffL, out);
      default -> throw new IllegalArgumentException(indices.dtype().toString());
    }
  }

  private static void saturate(long[] array, int from, int count, long[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = array[from + i] < 0 ? Long.MAX_VALUE : array[from + i];
    }
  }

  private static void widen(int[] array, int from, int count, long mask, long[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = array[from + i] & mask;
    }
  }

  private static void widen(short[] array, int from, int count, long mask, long[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = array[from + i] & mask;
    }
  }

  private static void widen(byte[] array, int from, int count, long mask, long[] out) {
    for (int i = 0; i < count; i++) {
      out[i] = array[from + i] & mask;
    }
  }
}

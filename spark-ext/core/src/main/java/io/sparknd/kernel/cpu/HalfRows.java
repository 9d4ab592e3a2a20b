/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.kernel.cpu;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;

/** Conversions between rows of float16 or bfloat16 and rows of float32. */
public final class HalfRows {
  private HalfRows() {}

  /**
   * Writes {@code halves[from .. from + length)}, exactly, to {@code floats}, from {@code at} on.
   */
  public static void widen(
      DType dtype, short[] halves, int from, float[] floats, int at, int length) {
    if (dtype == DType.BFLOAT16) {
      for (int i = 0; i < length; i++) {
        floats[at + i] = HalfFloats.fromBfloat16(halves[from + i]);
      }
      return;
    }
    for (int i = 0; i < length; i++) {
      floats[at + i] = HalfFloats.fromFloat16(halves[from + i]);
    }
  }

  /**
   * Rounds {@code floats[from .. from + length)}, to nearest and ties to even, into {@code halves},
   * from {@code at} on.
   */
  public static void round(
      DType dtype, float[] floats, int from, short[] halves, int at, int length) {
    if (dtype == DType.BFLOAT16) {
      for (int i = 0; i < length; i++) {
        halves[at + i] = HalfFloats.toBfloat16(floats[from + i]);
      }
      return;
    }
    for (int i = 0; i < length; i++) {
      halves[at + i] = HalfFloats.toFloat16(floats[from + i]);
    }
  }
}

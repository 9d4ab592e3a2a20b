/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.rows;

import io.sparknd.tensor.DType;
import io.sparknd.tensor.HalfFloats;

/** Rows of float16 and bfloat16 to float32 and back. */
public final class Halves {
  private Halves() {}

  /** Exact. */
  public static void widen(DType dtype, short[] from, int at, float[] to, int first, int count) {
    if (dtype == DType.FLOAT16) {
      for (int i = 0; i < count; i++) {
        to[first + i] = HalfFloats.fromFloat16(from[at + i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[first + i] = HalfFloats.fromBfloat16(from[at + i]);
      }
    }
  }

  /** To nearest, ties to even. */
  static void narrow(DType dtype, float[] from, int at, short[] to, int first, int count) {
    if (dtype == DType.FLOAT16) {
      for (int i = 0; i < count; i++) {
        to[first + i] = HalfFloats.toFloat16(from[at + i]);
      }
    } else {
      for (int i = 0; i < count; i++) {
        to[first + i] = HalfFloats.toBfloat16(from[at + i]);
      }
    }
  }
}

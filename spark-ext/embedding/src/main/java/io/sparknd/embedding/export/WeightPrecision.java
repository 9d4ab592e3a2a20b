/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.export;

/** The dtype of exported weights. A weight that overflows it is an error. */
public enum WeightPrecision {
  /** float32: exact for every table. */
  FLOAT32,
  /** float16, rounded to nearest, ties to even. */
  FLOAT16,
  /** bfloat16, rounded to nearest, ties to even. */
  BFLOAT16,
  /**
   * int8 and one float32 scale a row, symmetric: {@code scale = max(|row|) / 127}, {@code q =
   * round(row / scale)} in {@code [-127, 127]}, and a weight reads as {@code q * scale}, within
   * half a scale of the original. The scale of a row of zeros is 0.
   */
  INT8
}

/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

/**
 * Computes sums of squares in the order of {@code numpy.sum} on a contiguous array. Up to 128
 * elements are added in eight interleaved sums, which also enables instruction-level parallelism;
 * longer arrays are split in halves.
 */
final class SquareSums {
  private static final int LANES = 8;
  private static final int BLOCK = 128;

  private SquareSums() {}

  /** Returns the Euclidean norm. */
  static float norm(float[] values, int from, int length) {
    return (float) Math.sqrt(sum(values, from, length));
  }

  /** Returns the Euclidean norm in float64, in which no square of a float overflows. */
  static double wideNorm(float[] values, int from, int length) {
    double sum = 0;
    for (int i = from; i < from + length; i++) {
      sum += (double) values[i] * values[i];
    }
    return Math.sqrt(sum);
  }

  static float sum(float[] values, int from, int length) {
    if (length > BLOCK) {
      int half = length / 2 / LANES * LANES;
      return sum(values, from, half) + sum(values, from + half, length - half);
    }
    int end = from + length / LANES * LANES;
    float sum = length < LANES ? 0 : interleaved(values, from, end);
    for (int i = end; i < from + length; i++) {
      sum += values[i] * values[i];
    }
    return sum;
  }

  private static float interleaved(float[] values, int from, int to) {
    float s0 = 0;
    float s1 = 0;
    float s2 = 0;
    float s3 = 0;
    float s4 = 0;
    float s5 = 0;
    float s6 = 0;
    float s7 = 0;
    for (int i = from; i < to; i += LANES) {
      s0 += values[i] * values[i];
      s1 += values[i + 1] * values[i + 1];
      s2 += values[i + 2] * values[i + 2];
      s3 += values[i + 3] * values[i + 3];
      s4 += values[i + 4] * values[i + 4];
      s5 += values[i + 5] * values[i + 5];
      s6 += values[i + 6] * values[i + 6];
      s7 += values[i + 7] * values[i + 7];
    }
    return ((s0 + s1) + (s2 + s3)) + ((s4 + s5) + (s6 + s7));
  }
}

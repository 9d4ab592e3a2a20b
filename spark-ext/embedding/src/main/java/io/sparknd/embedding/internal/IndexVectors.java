/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.internal;

/**
 * Vectors within the range of Lucene's arithmetic: it sums squares in float32, which overflows or
 * underflows for vectors that are finite.
 */
public final class IndexVectors {
  /** Maximum sum of squares: the squared distance of two vectors may have four times as much. */
  public static final float MAX_SQUARES = Float.MAX_VALUE / 8;

  /** Sums of squares below this have lost bits. */
  private static final float MIN_SQUARES = 0x1p-80f;

  private IndexVectors() {}

  /** Returns the sum of squares. */
  public static double squares(float[] vector) {
    double sum = 0;
    for (float element : vector) {
      sum += (double) element * element;
    }
    return sum;
  }

  /** Returns {@link #scaled} if the sum of squares underflows in float32, else the vector. */
  public static float[] enlarged(float[] vector) {
    return squares(vector) < MIN_SQUARES ? scaled(vector) : vector;
  }

  /**
   * Returns the vector times a power of two, which is at least 1, so that its largest element is
   * not small. Exact: cosines have the same bits, and the order of dot products is the same.
   */
  public static float[] scaled(float[] vector) {
    float largest = 0;
    for (float element : vector) {
      largest = Math.max(largest, Math.abs(element));
    }
    int exponent = Math.max(0, -Math.getExponent(largest));
    float[] scaled = new float[vector.length];
    for (int i = 0; i < scaled.length; i++) {
      scaled[i] = Math.scalb(vector[i], exponent);
    }
    return scaled;
  }
}

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

  /**
   * The exponent of the largest element of an index: sums of squares of 1,024 such elements are far
   * from overflow, and squares of elements 2^-50 times as large are not small beside 1.
   */
  private static final int LARGEST_EXPONENT = 40;

  /** The exponent of the norm of a query, unless rows are not enlarged. */
  private static final int LONGEST_EXPONENT = 52;

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
    return timesPowerOfTwo(vector, Math.max(0, -Math.getExponent(largest)));
  }

  /**
   * Returns the exponent of the power of two, at least 1, that rows of an index are multiplied by.
   * Lucene adds 1 to squared distances and products, which hides what is much smaller than 1.
   *
   * @param largest the largest absolute value of an element of the rows
   */
  public static int exponent(float largest) {
    return Math.max(0, LARGEST_EXPONENT - Math.getExponent(largest));
  }

  /**
   * Returns the exponent for a query: that of the rows, or less, at least 0, for a query some
   * thousand times as long as they are. Which rows are near is a matter of its direction then, and
   * float32 tells their distances to a nearer point in this direction apart.
   *
   * @param exponent that of the rows
   */
  public static int queryExponent(float[] query, int exponent) {
    int length = Math.getExponent(Math.sqrt(squares(query)));
    return Math.max(0, Math.min(exponent, LONGEST_EXPONENT - length));
  }

  /**
   * Returns the vector times {@code 2^exponent}.
   *
   * @param exponent in {@code [-1022, 1023]}
   */
  public static float[] timesPowerOfTwo(float[] vector, int exponent) {
    double factor = Math.scalb(1d, exponent); // may be out of the range of float32
    float[] product = new float[vector.length];
    for (int i = 0; i < product.length; i++) {
      product[i] = (float) (vector[i] * factor);
    }
    return product;
  }
}

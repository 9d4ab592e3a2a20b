/* SPDX-License-Identifier: Apache-2.0 */
package io.sparknd.embedding.optimizer;

import java.util.Arrays;

/** The subset of NumPy's float32 arrays that the rules need. Each operation returns a new array. */
record Array(float... values) {
  private interface Operation {
    float of(float a, float b);
  }

  static Array full(int length, double value) {
    float[] values = new float[length];
    Arrays.fill(values, (float) value);
    return new Array(values);
  }

  /**
   * Applies an operation to arrays of the same length; {@code other} may have one element, which is
   * repeated.
   */
  private Array with(Array other, Operation operation) {
    float[] result = new float[values.length];
    for (int i = 0; i < result.length; i++) {
      result[i] = operation.of(values[i], other.values[other.values.length == 1 ? 0 : i]);
    }
    return new Array(result);
  }

  Array plus(Array other) {
    return with(other, (a, b) -> a + b);
  }

  Array minus(Array other) {
    return with(other, (a, b) -> a - b);
  }

  Array times(Array other) {
    return with(other, (a, b) -> a * b);
  }

  Array over(Array other) {
    return with(other, (a, b) -> a / b);
  }

  Array plus(double other) {
    return plus(full(1, other));
  }

  Array times(double other) {
    return times(full(1, other));
  }

  Array over(double other) {
    return over(full(1, other));
  }

  Array root() {
    return with(this, (a, b) -> (float) Math.sqrt(a));
  }

  Array sign() {
    return with(this, (a, b) -> Math.signum(a));
  }

  Array clipped(double limit) {
    float most = (float) limit;
    return with(this, (a, b) -> a > most ? most : a < -most ? -most : a);
  }

  /**
   * Returns the sum, one element, in the order of {@code numpy.sum} up to 128 elements: eight
   * columns, pairs, the rest.
   */
  Array sum() {
    int whole = values.length / 8 * 8;
    float sum = 0;
    if (whole > 0) {
      Array columns = slice(0, 8);
      for (int from = 8; from < whole; from += 8) {
        columns = columns.plus(slice(from, from + 8));
      }
      while (columns.values.length > 1) {
        columns = columns.every(2, 0).plus(columns.every(2, 1));
      }
      sum = columns.values[0];
    }
    for (float rest : slice(whole, values.length).values) {
      sum = sum + rest;
    }
    return new Array(sum);
  }

  private Array slice(int from, int to) {
    return new Array(Arrays.copyOfRange(values, from, to));
  }

  private Array every(int stride, int from) {
    float[] result = new float[values.length / stride];
    for (int i = 0; i < result.length; i++) {
      result[i] = values[from + i * stride];
    }
    return new Array(result);
  }
}
